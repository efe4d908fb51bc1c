package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
    record ReportOutage(ResourceId resourceId, @Nullable Outage outage) implements ResourceCommand {

        /** By it the reasons of outages are known again. */
        private static final String CLOUD = "The cloud: ";

        /**
         * Whether it says anything new.
         *
         * @param disabled why the resource is out of service already; null if it is not
         */
        public boolean changes(@Nullable String disabled) {
            boolean anOperators = disabled != null && !disabled.startsWith(CLOUD);
            return !anOperators && !Objects.equals(reason(), disabled);
        }

        /** Why the resource is out of service now; null if it need not be. */
        public @Nullable String reason() {
            return outage == null ? null : CLOUD + outage.reason();
        }
    }

    /**
     * What the cloud says of a resource now, whoever counts on what it said before. See {@link
     * EnrolResource} for what the components mean.
     */
    record ReportAttributes(
            ResourceId resourceId,
            @Nullable String region,
            @Nullable String zone,
            Map<String, @Nullable Object> attributes)
            implements ResourceCommand {

        public ReportAttributes {
            attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        }

        /**
         * The names of what it says otherwise, {@code region} and {@code zone} among them; empty if
         * it says nothing new.
         *
         * @param knownRegion the region of which the resource is known to be
         * @param knownZone the zone of which it is known to be
         * @param known what else is known
         */
        public Set<String> differences(
                @Nullable String knownRegion,
                @Nullable String knownZone,
                Map<String, @Nullable Object> known) {
            Set<String> names = new TreeSet<>(attributes.keySet());
            names.addAll(known.keySet());
            names.removeIf(name -> isSame(attributes.get(name), known.get(name)));
            if (!Objects.equals(region, knownRegion)) {
                names.add("region");
            }
            if (!Objects.equals(zone, knownZone)) {
                names.add("zone");
            }
            return names;
        }

        private static boolean isSame(@Nullable Object one, @Nullable Object other) {
            return Objects.equals(normal(one), normal(other));
        }

        /** What was stored comes back as the smallest kind of number that it fits into. */
        private static @Nullable Object normal(@Nullable Object json) {
            return switch (json) {
                case Number number -> new BigDecimal(number.toString()).stripTrailingZeros();
                case List<?> list ->
                        list.stream().map(each -> Optional.ofNullable(normal(each))).toList();
                case Map<?, ?> map -> {
                    Map<Object, Optional<?>> values = new LinkedHashMap<>();
                    map.forEach((key, each) -> values.put(key, Optional.ofNullable(normal(each))));
                    yield values;
                }
                case null, default -> json;
            };
        }
    }

    /** Take a resource out of the inventory for good. */
    record RetireResource(ResourceId resourceId) implements ResourceCommand {}
}
