package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.LeaseId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All events of a resource. */
public sealed interface ResourceEvent {

    ResourceId resourceId();

    /** The resource is enrolled. See {@link ResourceCommand.EnrolResource} for the components. */
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
     * @param affected current and future leases that rely on the resource
     * @param extent the effect on what runs on it. It is null if an operator took it out of
     *     service, or if the event is older than the cloud's reports
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

        /** Creates the event without the extent. */
        public ResourceDisabled(ResourceId resourceId, String reason, List<LeaseId> affected) {
            this(resourceId, reason, affected, null);
        }
    }

    /**
     * The cloud reports other attributes of the resource than before. See {@link
     * ResourceCommand.EnrolResource} for the components.
     *
     * @param attributes all attributes that it reports now
     * @param affected current and future leases that rely on the changed ones; they stay as they
     *     are
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
