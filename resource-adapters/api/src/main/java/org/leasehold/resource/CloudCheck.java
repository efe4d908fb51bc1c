package org.leasehold.resource;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of a check whether a plug-in can work with its cloud now.
 *
 * <p>A reason is public: it names settings and services, and no user, address or secret. A cause is
 * for the log of the operator.
 */
public sealed interface CloudCheck {

    /**
     * A passed check: the plug-in can work, as far as the cloud shows.
     *
     * @param services the addresses of the services that it uses, by type
     */
    record Passed(SortedMap<String, String> services) implements CloudCheck {

        public Passed {
            services = Collections.unmodifiableSortedMap(new TreeMap<>(services));
        }

        /** Returns the result for a plug-in that uses no service. */
        public static Passed withoutServices() {
            return new Passed(new TreeMap<>(Map.of()));
        }
    }

    /** A failed check: the settings do not fit the cloud. An operator must change one. */
    record Misconfigured(String reason, String cause) implements CloudCheck {}

    /** A check without a result: the cloud did not respond. The settings may fit or not. */
    record Unanswered(String reason, String cause) implements CloudCheck {}
}
