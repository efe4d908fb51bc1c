package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything that can be asked of a resource. */
public sealed interface ResourceCommand {

    ResourceId resourceId();

    /**
     * Make a resource leasable.
     *
     * @param name unique among the enrolled resources of its kind
     * @param region the cloud's region; null where the cloud has none
     * @param zone the availability zone; null where the cloud has none
     * @param attributes what the cloud says of it, as JSON values
     * @param capabilities what the operator says of it
     */
    record EnrolResource(
            ResourceId resourceId,
            ResourceKind kind,
            String name,
            @Nullable String region,
            @Nullable String zone,
            Map<String, @Nullable Object> attributes,
            Map<String, String> capabilities)
            implements ResourceCommand {

        public EnrolResource {
            attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
            capabilities = Collections.unmodifiableMap(new TreeMap<>(capabilities));
        }
    }

    /**
     * Set and remove capabilities: all of it or nothing.
     *
     * @param set capabilities to add or to overwrite
     * @param removed capabilities to remove; unknown ones are no error
     */
    record ChangeResource(ResourceId resourceId, Map<String, String> set, Set<String> removed)
            implements ResourceCommand {

        public ChangeResource {
            set = Collections.unmodifiableMap(new TreeMap<>(set));
            removed = Collections.unmodifiableSet(new TreeSet<>(removed));
        }
    }

    /** Take a resource out of service: no new lease gets it, no lease starts on it. */
    record DisableResource(ResourceId resourceId, String reason) implements ResourceCommand {}

    /** Put a disabled resource into service again. */
    record EnableResource(ResourceId resourceId) implements ResourceCommand {}

    /**
     * What the cloud says of a resource: it goes out of service, and comes back. What an operator
     * took out of service stays so.
     *
     * @param outage why the cloud cannot give it; null if it can
     */
    record ReportOutage(ResourceId resourceId, @Nullable String outage) implements ResourceCommand {

        /** By it the reasons of outages are known again. */
        private static final String CLOUD = "The cloud: ";

        /** Whether that is the reason of an outage. */
        public static boolean isReason(String reason) {
            return reason.startsWith(CLOUD);
        }

        /** Why the resource is out of service now; null if it need not be. */
        public @Nullable String reason() {
            return outage == null ? null : CLOUD + outage;
        }
    }

    /** Take a resource out of the inventory for good. */
    record RetireResource(ResourceId resourceId) implements ResourceCommand {}
}
