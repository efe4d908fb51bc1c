package org.leasehold.demo;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.simulator.host.InMemoryCloud;
import org.leasehold.resource.volume.VolumeType;

import java.time.Clock;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** All resources that can ever be leased, as the simulated cloud describes them. */
final class Fleet {

    /** The number of hosts of the simulated cloud, from {@code compute-1} on. */
    static final int HOSTS = 200;

    /** The network of the simulated cloud's floating IPs. */
    static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";

    private static final String SUBNET = "c2a7e0f4-5f77-4f0e-8a55-0c3b9d1f7e02";
    private static final int FLOATING_IPS = 48;
    private static final int FIRST_ADDRESS = 200;
    private static final Map<String, Integer> VOLUME_TYPES =
            new TreeMap<>(Map.of("gold", 1000, "silver", 4000));

    private final Map<String, Piece> resourcesByName = new LinkedHashMap<>();

    Fleet() {
        InMemoryCloud cloud = new InMemoryCloud(HOSTS, Clock.systemUTC(), _ -> {});
        for (int number = 1; number <= HOSTS; number++) {
            add(hostName(cloud, number));
        }
        for (int number = 0; number < FLOATING_IPS; number++) {
            FloatingIp ip = new FloatingIp(NETWORK, "203.0.113." + (FIRST_ADDRESS + number));
            add(
                    new Piece(
                            ResourceKind.FLOATING_IP,
                            ip.name(),
                            null,
                            ip.attributes(SUBNET),
                            Map.of()));
        }
        VOLUME_TYPES.forEach(
                (name, gib) ->
                        add(
                                new Piece(
                                        ResourceKind.VOLUME,
                                        name,
                                        null,
                                        new VolumeType(name, gib).attributes(),
                                        Map.of())));
    }

    private void add(Piece piece) {
        resourcesByName.put(piece.name(), piece);
    }

    private static Piece hostName(InMemoryCloud cloud, int number) {
        String name = hostName(number);
        return switch (cloud.plugin(_ -> {}).acting().discover(name)) {
            case Discovery.Found found ->
                    new Piece(
                            ResourceKind.PHYSICAL_HOST,
                            found.name(),
                            found.zone(),
                            found.attributes(),
                            labels(number));
            case Discovery other -> throw new IllegalStateException(name + ": " + other);
        };
    }

    static String hostName(int number) {
        return "compute-" + number;
    }

    private static Map<String, String> labels(int number) {
        Map<String, String> labels = new TreeMap<>();
        if (number % 40 == 5) {
            labels.put("gpu", "A100");
        } else if (number % 8 == 4) {
            labels.put("gpu", "V100");
        }
        if (number % 3 == 0) {
            labels.put("ssd", "yes");
        }
        return labels;
    }

    /** Returns the resources by name, in the order of their enrolment. */
    Map<String, Piece> resourcesByName() {
        return Collections.unmodifiableMap(resourcesByName);
    }

    /**
     * A resource that can be leased.
     *
     * @param zone null if there are no zones
     * @param attributes the values from the cloud
     * @param labels the capabilities from the operator
     */
    record Piece(
            ResourceKind kind,
            String name,
            @Nullable String zone,
            Map<String, @Nullable Object> attributes,
            Map<String, String> labels) {}
}
