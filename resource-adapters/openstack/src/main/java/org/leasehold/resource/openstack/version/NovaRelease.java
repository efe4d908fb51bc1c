package org.leasehold.resource.openstack.version;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The releases of Nova by their newest microversion, because Nova's API does not show its release.
 * The source is {@code nova/api/openstack/compute/rest_api_version_history.rst} in Nova, in the
 * headings "Maximum in". For a new release of Nova, add a line to the table.
 */
public final class NovaRelease {

    private static final NavigableMap<Microversion, String> NAMES = new TreeMap<>();

    static {
        add("2.53", "Pike");
        add("2.60", "Queens");
        add("2.65", "Rocky");
        add("2.72", "Stein");
        add("2.79", "Train");
        add("2.87", "Ussuri or Victoria");
        add("2.88", "Wallaby");
        add("2.90", "Xena or Yoga");
        add("2.93", "Zed");
        add("2.95", "2023.1 or 2023.2");
        add("2.96", "2024.1 or 2024.2");
        add("2.100", "2025.1 or 2025.2");
        add("2.103", "2026.1");
    }

    private NovaRelease() {}

    /** Returns the name of the release; for an unknown one, the known release before or after. */
    public static String nameOf(Microversion newest) {
        Map.Entry<Microversion, String> known = NAMES.floorEntry(newest);
        if (known == null) {
            return "older than " + NAMES.firstEntry().getValue();
        }
        return known.getKey().equals(newest) ? known.getValue() : "newer than " + known.getValue();
    }

    private static void add(String newest, String name) {
        NAMES.put(Microversion.of(newest), name);
    }
}
