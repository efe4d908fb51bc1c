package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything that can happen to a resource. */
public sealed interface ResourceEvent {

    ResourceId resourceId();

    /** See {@link ResourceCommand.EnrolResource} for what the components mean. */
    record ResourceEnrolled(
            ResourceId resourceId,
            ResourceKind kind,
            String name,
            @Nullable String region,
            @Nullable String zone,
            Map<String, @Nullable Object> attributes,
            Map<String, String> capabilities)
            implements ResourceEvent {

        public ResourceEnrolled {
            attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
            capabilities = Collections.unmodifiableMap(new TreeMap<>(capabilities));
        }
    }

    record ResourceChanged(ResourceId resourceId, Map<String, String> set, Set<String> removed)
            implements ResourceEvent {

        public ResourceChanged {
            set = Collections.unmodifiableMap(new TreeMap<>(set));
            removed = Collections.unmodifiableSet(new TreeSet<>(removed));
        }
    }

    /**
     * The resource is out of service.
     *
     * @param affected leases, current and future, that count on the resource
     * @param extent what becomes of what runs on it; null if nobody says so: an operator took it
     *     out of service, or it is from before the cloud was asked
     */
    record ResourceDisabled(
            ResourceId resourceId,
            String reason,
            List<LeaseId> affected,
            @Nullable OutageExtent extent)
            implements ResourceEvent {

        public ResourceDisabled {
            affected = List.copyOf(affected);
        }

        /** Of what runs on it nothing is said. */
        public ResourceDisabled(ResourceId resourceId, String reason, List<LeaseId> affected) {
            this(resourceId, reason, affected, null);
        }
    }

    /**
     * The cloud says something else of the resource than before. See {@link
     * ResourceCommand.EnrolResource} for what the components mean.
     *
     * @param attributes all that it says now
     * @param affected leases, current and future, that count on what is different; they stay as
     *     they are
     */
    record ResourceDescribed(
            ResourceId resourceId,
            @Nullable String region,
            @Nullable String zone,
            Map<String, @Nullable Object> attributes,
            List<LeaseId> affected)
            implements ResourceEvent {

        public ResourceDescribed {
            attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
            affected = List.copyOf(affected);
        }
    }

    record ResourceEnabled(ResourceId resourceId) implements ResourceEvent {}

    record ResourceRetired(ResourceId resourceId) implements ResourceEvent {}
}
