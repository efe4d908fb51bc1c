package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A hypervisor of the simulated cloud.
 *
 * @param id the cloud's own number of it
 * @param cpuInfo a JSON text, as in Nova
 * @param up whether it runs
 */
public record SimulatedHost(
        long id,
        String hypervisorHostname,
        String serviceName,
        String hypervisorType,
        int hypervisorVersion,
        int vcpus,
        int memoryMb,
        int localGb,
        String cpuInfo,
        String zone,
        boolean up) {

    private static final int LARGE_HOST_EVERY = 4;
    private static final int ZONE_COUNT = 3;

    /** Returns the host of a number, which is the same in every cloud; every fourth is large. */
    public static SimulatedHost ofNumber(int number) {
        String name = "compute-" + number;
        boolean large = number % LARGE_HOST_EVERY == 0;
        String cpuInfo =
                number % 2 == 0
                        ? "{\"arch\": \"x86_64\", \"model\": \"EPYC-Milan\", \"vendor\": \"AMD\"}"
                        : "{\"arch\": \"x86_64\", \"model\": \"Icelake-Server\", \"vendor\":"
                                + " \"Intel\"}";
        return new SimulatedHost(
                number,
                name,
                name,
                "QEMU",
                8_002_002,
                large ? 64 : 16,
                large ? 262_144 : 65_536,
                large ? 4_000 : 1_000,
                cpuInfo,
                "az" + ((number - 1) % ZONE_COUNT + 1),
                true);
    }

    /** Returns the host's properties for an enrolment, under Blazar's names. */
    public Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("hypervisor_hostname", hypervisorHostname);
        attributes.put("service_name", serviceName);
        attributes.put("hypervisor_type", hypervisorType);
        attributes.put("hypervisor_version", hypervisorVersion);
        attributes.put("vcpus", vcpus);
        attributes.put("memory_mb", memoryMb);
        attributes.put("local_gb", localGb);
        attributes.put("cpu_info", cpuInfo);
        return Collections.unmodifiableMap(attributes);
    }

    /**
     * A server of a project on a host.
     *
     * @param reservation null for a preemptible one
     */
    public record Server(
            UUID id,
            String name,
            ProjectId project,
            String host,
            @Nullable ReservationId reservation,
            String state) {

        /** Returns the same server on another host. */
        public Server onHost(String other) {
            return new Server(id, name, project, other, reservation, state);
        }
    }
}
