package org.leasehold.resource.simulator;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The settings of the plug-ins that use the simulated cloud. */
public record SimulatorSettings(Map<String, String> given) {

    private static final List<String> CLOUD = List.of("url", "user", "password");
    private static final String HOSTS = "hosts";
    private static final String DEFAULT_HOSTS = "20";
    private static final int MAX_HOSTS = 10_000;

    /** Connects to the cloud, and creates it if there is none yet. */
    public static CloudConnections connect(Map<String, String> settings) {
        SimulatorSettings known = SimulatorSettings.of(settings, List.of(HOSTS));
        int hosts = hosts(known.text(HOSTS, DEFAULT_HOSTS));
        CloudConnections connections = known.connect();
        try {
            connections.createCloud(hosts);
        } catch (RuntimeException unreachable) {
            connections.close();
            throw unreachable;
        }
        return connections;
    }

    private static int hosts(String value) {
        try {
            int hosts = Integer.parseInt(value);
            if (hosts >= 0 && hosts <= MAX_HOSTS) {
                return hosts;
            }
        } catch (NumberFormatException notANumber) {
            // Rejected below, like every other value that is no number of hosts.
        }
        throw new IllegalArgumentException(
                "the setting hosts is a number from 0 to " + MAX_HOSTS + ", not " + value);
    }

    /**
     * Checks the settings of a plug-in.
     *
     * @param own the names of its settings besides the cloud's
     */
    private static SimulatorSettings of(Map<String, String> given, List<String> own) {
        SortedSet<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(CLOUD);
        unknown.removeAll(own);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown settings: " + unknown);
        }
        return new SimulatorSettings(Map.copyOf(given));
    }

    private String text(String name, String otherwise) {
        return given.getOrDefault(name, otherwise);
    }

    private CloudConnections connect() {
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
