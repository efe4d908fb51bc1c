package org.leasehold.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.StoredName;

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

/** All commands to a resource. */
public sealed interface ResourceCommand {

    ResourceId resourceId();

    /**
     * The enrolment of a resource, which makes it leasable.
     *
     * @param name a name that is unique among the enrolled resources of its kind
     * @param region the cloud's region; null where the cloud has none
     * @param zone the availability zone; null where the cloud has none
     * @param attributes the attributes that the cloud reports, as JSON values
     * @param capabilities the capabilities that the operator sets
     */
    @StoredName("EnrolResource")
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
     * A change of capabilities: all are set and removed, or none.
     *
     * @param set capabilities to add or to overwrite
     * @param removed capabilities to remove; unknown ones are no error
     */
    @StoredName("ChangeResource")
    record ChangeResource(ResourceId resourceId, Map<String, String> set, Set<String> removed)
            implements ResourceCommand {

        public ChangeResource {
            set = Collections.unmodifiableMap(new TreeMap<>(set));
            removed = Collections.unmodifiableSet(new TreeSet<>(removed));
        }
    }

    /** The end of a resource's service: no new lease gets it, no lease starts on it. */
    @StoredName("DisableResource")
    record DisableResource(ResourceId resourceId, String reason) implements ResourceCommand {}

    /** The return of a disabled resource to service. */
    @StoredName("EnableResource")
    record EnableResource(ResourceId resourceId) implements ResourceCommand {}

    /**
     * The cloud's report of an outage or of its end. A resource that an operator took out of
     * service stays so.
     *
     * @param outage the reason why the cloud cannot provide it; null if it can
     */
    @StoredName("ReportOutage")
    record ReportOutage(ResourceId resourceId, @Nullable Outage outage) implements ResourceCommand {

        /** The prefix that identifies reasons of outages. */
        private static final String CLOUD = "The cloud: ";

        /**
         * Returns true if the report changes anything.
         *
         * @param disabled why the resource is out of service already; null if it is in service
         */
        public boolean changes(@Nullable String disabled) {
            boolean anOperators = disabled != null && !disabled.startsWith(CLOUD);
            return !anOperators && !Objects.equals(reason(), disabled);
        }

        /** Returns the reason for the resource to be out of service; null for none. */
        public @Nullable String reason() {
            return outage == null ? null : CLOUD + outage.reason();
        }
    }

    /**
     * The cloud's report of a resource's attributes, which applies even if leases rely on the old
     * ones. See {@link EnrolResource} for the components.
     */
    @StoredName("ReportAttributes")
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
         * Returns the names of the changed attributes, with {@code region} and {@code zone} among
         * them; empty if nothing changed.
         *
         * @param knownRegion the known region of the resource
         * @param knownZone the known zone of the resource
         * @param known the other known attributes
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

        /** Normalises numbers: a stored number is read back in the smallest type that fits. */
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

    /** The retirement of a resource, which leaves the inventory for good. */
    @StoredName("RetireResource")
    record RetireResource(ResourceId resourceId) implements ResourceCommand {}
}
