package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.runtime.moving.BlazarSnapshot.Dates;
import org.leasehold.runtime.moving.BlazarSnapshot.Event;
import org.leasehold.runtime.moving.BlazarSnapshot.Host;
import org.leasehold.runtime.moving.BlazarSnapshot.Lease;
import org.leasehold.runtime.moving.BlazarSnapshot.Reservation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/** The rows of a Blazar, and the plan for them. */
abstract class ImportPlannerFixture {

    static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final Dates DATES = new Dates(NOON.minusSeconds(60), null);

    final List<Host> hosts =
            new ArrayList<>(List.of(host("1", "compute-1"), host("2", "compute-2")));
    final List<Lease> leases = new ArrayList<>();

    ImportPlan plan() {
        return plan(Duration.ZERO, Set.of(), "");
    }

    ImportPlan plan(Duration cleaning, Set<String> without, String beforeEnd) {
        return ImportPlanner.plan(
                new BlazarSnapshot("x", hosts, List.of(), List.of(), leases),
                without,
                cleaning,
                beforeEnd,
                new HostsAndSlots());
    }

    static Host host(String id, String name) {
        return new Host(
                id,
                name,
                Map.of("vcpus", 8, "memory_mb", 65_536, "local_gb", 1_000),
                "",
                true,
                Map.of(),
                Map.of(),
                List.of());
    }

    void lease(String name, String status, int from, int to, Reservation... reservations) {
        String events =
                switch (status) {
                    case "ACTIVE" -> "DONE UNDONE";
                    case "TERMINATED" -> "DONE DONE";
                    default -> "UNDONE UNDONE";
                };
        lease(name, status, events, from, to, reservations);
    }

    /** Adds a lease, with hours from noon on; the events have the given statuses. */
    void lease(
            String name,
            String status,
            String events,
            int from,
            int to,
            Reservation... reservations) {
        Instant start = NOON.plus(Duration.ofHours(from));
        Instant end = NOON.plus(Duration.ofHours(to));
        String[] of = events.split(" ", -1);
        leases.add(
                new Lease(
                        UUID.randomUUID().toString(),
                        name,
                        "u1",
                        "p1",
                        start,
                        end,
                        status,
                        DATES,
                        List.of(reservations),
                        List.of(
                                event("start_lease", start, of[0]),
                                event("end_lease", end, of[1]))));
    }

    private static Event event(String type, Instant time, String status) {
        return new Event(UUID.randomUUID().toString(), type, time, status, DATES);
    }

    static Reservation whole(String status, String... hosts) {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("min", "1");
        parameters.put("max", "2");
        parameters.put("hypervisor_properties", null);
        parameters.put("resource_properties", "");
        parameters.put("before_end", "default");
        return reservation("physical:host", status, parameters, hosts);
    }

    static Reservation slots(String status, String... hosts) {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("vcpus", 2);
        parameters.put("memory_mb", 1_024);
        parameters.put("disk_gb", 10);
        parameters.put("amount", hosts.length);
        parameters.put("affinity", null);
        parameters.put("resource_properties", null);
        return reservation("virtual:instance", status, parameters, hosts);
    }

    static Reservation unknown(String status) {
        return reservation("network", status, Map.of(), "1");
    }

    // As in every record with such a map: the compiler loses the annotation of its values.
    @SuppressWarnings("NullAway")
    private static Reservation reservation(
            String type, String status, Map<String, @Nullable Object> parameters, String... hosts) {
        return new Reservation(
                UUID.randomUUID().toString(),
                type,
                status,
                false,
                false,
                DATES,
                parameters,
                Map.of(),
                List.of(hosts),
                List.of());
    }

    private static final class HostsAndSlots implements Plugins {

        private static final Map<ResourceKind, Planning> KINDS =
                Map.of(
                        ResourceKind.PHYSICAL_HOST,
                        new HostPlanning(),
                        ResourceKind.VIRTUAL_INSTANCE,
                        new InstancePlanning());

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return Optional.ofNullable(KINDS.get(kind)).map(plugin -> new PlansOnly(kind, plugin));
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(KINDS.keySet().stream().map(ResourceKind::value).toList());
        }
    }

    private record PlansOnly(ResourceKind kind, Planning planning) implements ResourcePlugin {

        @Override
        public Acting acting() {
            throw new AssertionError("planning touches no cloud");
        }
    }
}
