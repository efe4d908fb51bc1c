package org.leasehold.resource.openstack.compute;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Nova's data of a flavor. */
public final class FakeFlavor {
    public final String name;
    public final long vcpus;
    public final long ram;
    public final long disk;
    public final long ephemeral;
    public final long swap;
    public final boolean isPublic;
    public final Map<String, String> extraSpecs = new TreeMap<>();
    public final TreeSet<String> projects = new TreeSet<>();

    FakeFlavor(JsonNode wish) {
        name = wish.path("name").asString();
        vcpus = wish.path("vcpus").longValue();
        ram = wish.path("ram").longValue();
        disk = wish.path("disk").longValue();
        ephemeral = wish.path("OS-FLV-EXT-DATA:ephemeral").longValue(0);
        swap = wish.path("swap").longValue(0);
        isPublic = wish.path("os-flavor-access:is_public").booleanValue(true);
    }

    /** Returns the representation since microversion 2.61. */
    Map<String, Object> shown(String id) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", id);
        shown.put("name", name);
        shown.put("vcpus", vcpus);
        shown.put("ram", ram);
        shown.put("disk", disk);
        shown.put("OS-FLV-EXT-DATA:ephemeral", ephemeral);
        // Before 2.75 no swap is an empty text.
        shown.put("swap", swap == 0 ? "" : swap);
        shown.put("os-flavor-access:is_public", isPublic);
        shown.put("extra_specs", Map.copyOf(extraSpecs));
        return shown;
    }

    String slot() {
        return extraSpecs.keySet().stream()
                .filter(name -> name.startsWith("resources:CUSTOM_RESERVATION_"))
                .findFirst()
                .orElseThrow()
                .replace("resources:", "");
    }
}
