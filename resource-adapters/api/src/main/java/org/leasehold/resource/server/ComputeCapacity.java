package org.leasehold.resource.server;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Capacity for servers: of an availability zone, or the part of it that one server takes.
 *
 * @param zone the zone's name; empty for a server that is shelved, which is in none
 */
public record ComputeCapacity(String zone, long vcpus, long memoryMb, long diskGb) {

    /** The property that names the zone. */
    public static final String ZONE = "availability_zone";

    private static final String VCPUS = "vcpus";
    private static final String MEMORY_MB = "memory_mb";
    private static final String DISK_GB = "local_gb";

    /** Returns what a zone's enrolment and a server's request store: a host's properties. */
    public Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(ZONE, zone);
        attributes.put(VCPUS, vcpus);
        attributes.put(MEMORY_MB, memoryMb);
        attributes.put(DISK_GB, diskGb);
        return attributes;
    }

    /** Reads the result of {@link #attributes()}. */
    static Optional<ComputeCapacity> of(@Nullable Object attributes) {
        return attributes instanceof Map<?, ?> fields
                        && fields.get(ZONE) instanceof String zone
                        && fields.get(VCPUS) instanceof Number vcpus
                        && fields.get(MEMORY_MB) instanceof Number memoryMb
                        && fields.get(DISK_GB) instanceof Number diskGb
                ? Optional.of(
                        new ComputeCapacity(
                                zone, vcpus.longValue(), memoryMb.longValue(), diskGb.longValue()))
                : Optional.empty();
    }

    /** Returns the amounts by resource class. */
    Map<String, Long> amounts() {
        return Map.of("VCPU", vcpus, "MEMORY_MB", memoryMb, "DISK_GB", diskGb);
    }
}
