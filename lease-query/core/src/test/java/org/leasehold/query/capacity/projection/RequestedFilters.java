package org.leasehold.query.capacity.projection;

import java.util.Map;
import java.util.function.Predicate;

/** Filters of refused requests, and the hosts that meet them. */
final class RequestedFilters {

    static final String FILTER = "resource_properties";
    static final String ONLY_FAST = filter("ssd", "yes");

    /** Filters, and the hosts that meet them. */
    static final Map<String, Predicate<Map<String, String>>> WISHES =
            Map.of(
                    "",
                    _ -> true,
                    filter("gpu", "V100"),
                    host -> "V100".equals(host.get("gpu")),
                    filter("gpu", "A100"),
                    host -> "A100".equals(host.get("gpu")),
                    filter("gpu", "H100"),
                    _ -> false,
                    ONLY_FAST,
                    host -> host.containsKey("ssd"),
                    "[\">\", \"$vcpus\", \"18\"]",
                    host -> "20".equals(host.get("vcpus")),
                    "[\"not\", %s]".formatted(ONLY_FAST),
                    host -> !host.containsKey("ssd"),
                    // Hosts have no racks: a request for one cannot be granted.
                    "[\"or\", %s, %s]".formatted(ONLY_FAST, filter("rack", "7")),
                    _ -> false,
                    "no filter",
                    _ -> false);

    private RequestedFilters() {}

    static String filter(String property, String value) {
        return "[\"==\", \"$%s\", \"%s\"]".formatted(property, value);
    }
}
