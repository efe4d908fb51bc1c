package org.leasehold.resource.simulator;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The settings of the plug-ins that use the simulated cloud. */
record SimulatorSettings(Map<String, String> given) {

    private static final List<String> CLOUD = List.of("url", "user", "password");

    /**
     * Checks the settings of a plug-in.
     *
     * @param own the names of its settings besides the cloud's
     */
    static SimulatorSettings of(Map<String, String> given, List<String> own) {
        SortedSet<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(CLOUD);
        unknown.removeAll(own);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown settings: " + unknown);
        }
        return new SimulatorSettings(Map.copyOf(given));
    }

    String text(String name, String otherwise) {
        return given.getOrDefault(name, otherwise);
    }

    CloudConnections connect() {
        return new CloudConnections(
                required("url"), required("user"), given.getOrDefault("password", ""));
    }

    private String required(String name) {
        String value = text(name, "");
        if (value.isBlank()) {
            throw new IllegalArgumentException("the setting " + name + " is missing");
        }
        return value;
    }

    /** Omits the password, because settings end up in logs. */
    @Override
    public String toString() {
        return "SimulatorSettings[" + given.get("url") + "]";
    }
}
