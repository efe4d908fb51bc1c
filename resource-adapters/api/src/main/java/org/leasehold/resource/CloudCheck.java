package org.leasehold.resource;

import java.util.Collections;
import java.util.List;
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
     * @param services the services that it uses, by type
     * @param advice necessary configuration of the cloud that the plug-in cannot check; for the log
     */
    record Passed(SortedMap<String, FoundService> services, List<String> advice)
            implements CloudCheck {

        public Passed {
            services = Collections.unmodifiableSortedMap(new TreeMap<>(services));
            advice = List.copyOf(advice);
        }

        /** Returns the result for a plug-in that uses no service. */
        public static Passed withoutServices() {
            return new Passed(new TreeMap<>(), List.of());
        }
    }

    /**
     * A service in the cloud's catalog.
     *
     * @param address for the log of the operator
     * @param versions the microversions and the release as a text, which is public; empty if the
     *     plug-in uses no microversions
     */
    record FoundService(String address, String versions) {

        /** Returns a text for the log of the operator. */
        @Override
        public String toString() {
            return versions.isEmpty() ? address : address + " (" + versions + ")";
        }
    }

    /** A failed check: the settings do not fit the cloud. An operator must change one. */
    record Misconfigured(String reason, String cause) implements CloudCheck {}

    /** A check without a result: the cloud did not respond. The settings may fit or not. */
    record Unanswered(String reason, String cause) implements CloudCheck {}
}
