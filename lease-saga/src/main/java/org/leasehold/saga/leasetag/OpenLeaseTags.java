package org.leasehold.saga.leasetag;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.saga.NameBasedId;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The lease tags that come before a default lease. Objects keep the metadata of a tag after its
 * lease has ended, so that the metadata alone says nothing.
 */
public final class OpenLeaseTags {

    /** A position after all events. */
    static final long NEWEST = Long.MAX_VALUE;

    private final LeaseTagTable table;
    private final Leases leases;
    private final BooleanSupplier processesLeaseTags;

    /**
     * Creates the query.
     *
     * @param processesLeaseTags whether the engine processes lease tags; otherwise none is open
     */
    public OpenLeaseTags(JdbcClient jdbc, Leases leases, BooleanSupplier processesLeaseTags) {
        this.table = new LeaseTagTable(jdbc);
        this.leases = leases;
        this.processesLeaseTags = processesLeaseTags;
    }

    /**
     * Returns the ids of the objects with an open lease tag. It is open until it has an answer.
     * After a grant, it stays open as long as the lease that it names has the object, and has not
     * ended.
     */
    public Set<String> find(ResourceKind kind, Collection<LeasableObject> objects) {
        if (!processesLeaseTags.getAsBoolean()) {
            return Set.of();
        }
        Map<UUID, LeasableObject> tagged = new LinkedHashMap<>();
        objects.stream()
                .filter(object -> LeaseTaggedObject.hasLeaseTag(object.metadata()))
                .forEach(
                        object ->
                                tagged.put(deriveId(kind, object.id(), object.metadata()), object));
        Map<UUID, Optional<String>> answers = table.findAnswers(tagged.keySet());
        return tagged.entrySet().stream()
                .filter(tag -> isOpen(tag.getKey(), tag.getValue(), answers))
                .map(tag -> tag.getValue().id())
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isOpen(
            UUID tag, LeasableObject object, Map<UUID, Optional<String>> problemsOfAnswered) {
        if (!problemsOfAnswered.containsKey(tag)) {
            return true;
        }
        boolean isGranted = Objects.requireNonNull(problemsOfAnswered.get(tag)).isEmpty();
        return isGranted && namesLeaseOf(object);
    }

    private boolean namesLeaseOf(LeasableObject object) {
        String named = object.metadata().get(LeaseTaggedObject.LEASE);
        if (named == null) {
            return false;
        }
        try {
            LeaseId lease = LeaseId.of(named.strip());
            return isIn(leases.find(lease, object.project()), object)
                    // The read model may be older than the grant.
                    || isIn(leases.find(lease, object.project(), NEWEST), object);
        } catch (IllegalArgumentException noId) {
            return false;
        }
    }

    private static boolean isIn(Optional<LeaseView> lease, LeasableObject object) {
        return lease.filter(found -> found.status() != LeaseStatus.ENDED).stream()
                .flatMap(found -> found.reservations().stream())
                .filter(reservation -> reservation.kind().equals(object.kind()))
                .anyMatch(
                        reservation ->
                                ServerPlanning.serverId(reservation.parameters())
                                        .equals(object.id()));
    }

    /** Derives the id of a lease tag: one for each text on each object. */
    public static UUID deriveId(ResourceKind kind, String object, Map<String, String> metadata) {
        return NameBasedId.of(
                String.join(
                        "\n",
                        kind.value(),
                        object,
                        metadata.getOrDefault(LeaseTaggedObject.LEASE, ""),
                        metadata.getOrDefault(LeaseTaggedObject.TERMS, "")));
    }
}
