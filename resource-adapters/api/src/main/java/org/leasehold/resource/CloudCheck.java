package org.leasehold.resource;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a plugin's cloud answered when it was asked whether the plugin could work now.
 *
 * <p>A reason is for everybody: it names settings and services, and no user, address or secret. A
 * cause is for the log of the operator.
 */
public sealed interface CloudCheck {

    /**
     * The plugin can work, as far as the cloud shows.
     *
     * @param services the addresses of the services that it uses, by type
     */
    record Passed(SortedMap<String, String> services) implements CloudCheck {

        public Passed {
            services = Collections.unmodifiableSortedMap(new TreeMap<>(services));
        }

        /** The answer of a plugin that uses no service. */
        public static Passed withoutServices() {
            return new Passed(new TreeMap<>(Map.of()));
        }
    }

    /** The settings do not fit the cloud. Somebody has to change one of them. */
    record Misconfigured(String reason, String cause) implements CloudCheck {}

    /** The cloud did not answer. Nobody knows whether the settings fit it. */
    record Unanswered(String reason, String cause) implements CloudCheck {}
}
