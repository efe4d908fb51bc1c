package org.leasehold.resource.instance;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The size of servers, and what else they need.
 *
 * @param id the cloud's own
 * @param diskGb without the ephemeral disk
 * @param extraSpecs in Nova's terms
 */
public record Flavor(
        String id,
        String name,
        int vcpus,
        int memoryMb,
        int diskGb,
        int ephemeralGb,
        int swapMb,
        Map<String, String> extraSpecs) {

    private static final String VCPUS = "vcpus";
    private static final String MEMORY_MB = "memory_mb";
    private static final String DISK_GB = "disk_gb";
    private static final String EXTRA_SPECS = "extra_specs";

    public Flavor {
        extraSpecs = Collections.unmodifiableMap(new TreeMap<>(extraSpecs));
    }

    /** Returns the size of a reservation's slots, from its flavor or from its own parameters. */
    public static Flavor ofSlots(Map<String, @Nullable Object> parameters) {
        return of(parameters.get(FlavorPlanning.FLAVOR))
                .orElseGet(
                        () ->
                                new Flavor(
                                        "",
                                        "",
                                        number(parameters, VCPUS),
                                        number(parameters, MEMORY_MB),
                                        number(parameters, DISK_GB),
                                        0,
                                        0,
                                        Map.of()));
    }

    /** Reads the result of {@link #parameters()}. */
    static Optional<Flavor> of(@Nullable Object parameters) {
        if (!(parameters instanceof Map<?, ?> fields
                && fields.get("id") instanceof String id
                && fields.get("name") instanceof String name
                && fields.get(EXTRA_SPECS) instanceof Map<?, ?> extraSpecs)) {
            return Optional.empty();
        }
        Map<String, String> texts = new TreeMap<>();
        extraSpecs.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
        return Optional.of(
                new Flavor(
                        id,
                        name,
                        number(fields, VCPUS),
                        number(fields, MEMORY_MB),
                        number(fields, DISK_GB),
                        number(fields, "ephemeral_gb"),
                        number(fields, "swap_mb"),
                        texts));
    }

    /** Returns the flavor as a reservation's parameters store it. */
    public Map<String, @Nullable Object> parameters() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("name", name);
        fields.put(VCPUS, vcpus);
        fields.put(MEMORY_MB, memoryMb);
        fields.put(DISK_GB, diskGb);
        fields.put("ephemeral_gb", ephemeralGb);
        fields.put("swap_mb", swapMb);
        fields.put(EXTRA_SPECS, extraSpecs);
        return fields;
    }

    private static int number(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number ? number.intValue() : 0;
    }
}
