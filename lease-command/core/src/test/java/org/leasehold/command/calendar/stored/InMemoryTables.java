package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Resources, claims and holders in memory. A rollback undoes the writes of its transaction. */
public class InMemoryTables {

    private final SortedMap<ResourceId, Listed> resources = new TreeMap<>();
    private final SortedMap<ResourceId, List<Claimed>> claims = new TreeMap<>();
    private final SortedMap<ResourceId, List<Held>> holders = new TreeMap<>();
    private final UndoLog log;
    private long inventoryVersion;
    private long generations;

    public InMemoryTables(UndoLog log) {
        this.log = log;
    }

    /**
     * A resource that is not retired.
     *
     * @param attributes the values from the cloud, as JSON values
     * @param capabilities the values from the operator
     * @param disabledReason null while it is in service
     * @param version a number that differs after each change
     */
    public record Listed(
            ResourceKind kind,
            ResourceId id,
            String name,
            Map<String, ?> attributes,
            Map<String, String> capabilities,
            @Nullable String disabledReason,
            long version) {

        public Listed {
            attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
            capabilities = Collections.unmodifiableMap(new TreeMap<>(capabilities));
        }

        /** Creates a resource that is in service. */
        public Listed(
                ResourceKind kind,
                ResourceId id,
                String name,
                Map<String, ?> attributes,
                Map<String, String> capabilities) {
            this(kind, id, name, attributes, capabilities, null, 0);
        }

        public Listed described(Map<String, ?> otherAttributes) {
            return new Listed(
                    kind, id, name, otherAttributes, capabilities, disabledReason, version);
        }

        public Listed labelled(Map<String, String> otherCapabilities) {
            return new Listed(
                    kind, id, name, attributes, otherCapabilities, disabledReason, version);
        }

        public Listed serving(@Nullable String reasonNotTo) {
            return new Listed(kind, id, name, attributes, capabilities, reasonNotTo, version);
        }

        private Listed as(long newVersion) {
            return new Listed(kind, id, name, attributes, capabilities, disabledReason, newVersion);
        }

        /** Returns all properties; the operator's value of a name replaces that of the cloud. */
        Map<String, String> properties() {
            Map<String, String> properties = new TreeMap<>(Map.of("name", name));
            attributes.forEach((key, value) -> properties.put(key, value.toString()));
            properties.putAll(capabilities);
            return properties;
        }

        /** Returns an allocation of the whole resource, without its traits. */
        public Allocation allocation() {
            Map<String, String> properties = properties();
            properties
                    .entrySet()
                    .removeIf(
                            property ->
                                    Boolean.TRUE.equals(attributes.get(property.getKey()))
                                            && property.getValue().equals("true"));
            return new Allocation(id, name, properties);
        }

        boolean enrolled() {
            return disabledReason == null;
        }
    }

    /** A promise: the planned window plus cleaning. */
    public record Claimed(
            ResourceId resource,
            ReservationId reservation,
            LeaseId lease,
            LeasePeriod during,
            Duration cleaning,
            Set<String> reliesOn,
            @Nullable Share share) {

        Claimed lasting(LeasePeriod other, Duration otherCleaning) {
            return new Claimed(resource, reservation, lease, other, otherCleaning, reliesOn, share);
        }
    }

    /** A holder of a resource, or of a share of it. */
    public record Held(
            ReservationId reservation,
            LeaseId lease,
            long generation,
            Instant since,
            boolean shares) {}

    public SortedMap<ResourceId, Listed> resources() {
        return Collections.unmodifiableSortedMap(resources);
    }

    public SortedMap<ResourceId, List<Claimed>> claims() {
        return Collections.unmodifiableSortedMap(claims);
    }

    public SortedMap<ResourceId, List<Held>> holders() {
        return Collections.unmodifiableSortedMap(holders);
    }

    /** Adds the resource, or replaces its earlier state. */
    public void list(Listed resource) {
        inventoryVersion++;
        put(resources, resource.id(), resource.as(inventoryVersion));
    }

    public void unlist(ResourceId resource) {
        inventoryVersion++;
        put(resources, resource, null);
    }

    /** Returns the version of all resources, which differs after each change. */
    long inventoryVersion() {
        return inventoryVersion;
    }

    UndoLog log() {
        return log;
    }

    Stream<Claimed> claimsOn(ResourceId resource) {
        return claims.getOrDefault(resource, List.of()).stream();
    }

    Stream<Claimed> allClaims() {
        return claims.values().stream().flatMap(List::stream);
    }

    /** Returns true if the exclusion constraint forbids the two claims together. */
    protected boolean exclude(Claimed one, Claimed other) {
        return one.during().overlaps(other.during())
                && (one.share() == null || other.share() == null);
    }

    /** Inserts the claim unless the constraint forbids it; returns true if it did. */
    protected boolean claim(Claimed claim) {
        if (claimsOn(claim.resource()).anyMatch(other -> exclude(claim, other))) {
            return false;
        }
        replaceClaims(
                claim.resource(),
                Stream.concat(claimsOn(claim.resource()), Stream.of(claim)).toList());
        return true;
    }

    void unclaim(Claimed claim) {
        replaceClaims(
                claim.resource(),
                claimsOn(claim.resource()).filter(other -> !other.equals(claim)).toList());
    }

    private void replaceClaims(ResourceId resource, List<Claimed> now) {
        put(claims, resource, now.isEmpty() ? null : now);
    }

    List<Held> heldBy(ResourceId resource) {
        return holders.getOrDefault(resource, List.of());
    }

    /**
     * Returns the holder of a resource for a reservation; empty if the reservation has none of it.
     */
    Optional<Held> held(ResourceId resource, ReservationId by) {
        return heldBy(resource).stream().filter(held -> held.reservation().equals(by)).findFirst();
    }

    /** Adds a holder, or replaces an earlier one of the same reservation. */
    void hold(ResourceId resource, Held holder) {
        put(
                holders,
                resource,
                Stream.concat(others(resource, holder.reservation()), Stream.of(holder)).toList());
    }

    void letGo(ResourceId resource, ReservationId reservation) {
        List<Held> left = others(resource, reservation).toList();
        put(holders, resource, left.isEmpty() ? null : left);
    }

    private Stream<Held> others(ResourceId resource, ReservationId than) {
        return heldBy(resource).stream().filter(held -> !held.reservation().equals(than));
    }

    /** Returns the next number; a rollback does not undo it, as with a sequence of the database. */
    long nextGeneration() {
        generations++;
        return generations;
    }

    private <V> void put(Map<ResourceId, V> table, ResourceId key, @Nullable V value) {
        V before = value == null ? table.remove(key) : table.put(key, value);
        log.wrote(
                () -> {
                    inventoryVersion++;
                    if (before == null) {
                        table.remove(key);
                    } else {
                        table.put(key, before);
                    }
                });
    }
}
