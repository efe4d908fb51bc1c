package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Questions about leases. A project sees its own leases only; null asks across all projects. */
public interface Leases {

    /** A lease; empty when it was refused, deleted, never was, or is another project's. */
    Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project);

    /**
     * A lease as it was known when an event was the last of all; empty when it was refused, deleted
     * or not asked for by then, or is another project's.
     *
     * @param asOf the position of that event
     */
    Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf);

    /**
     * Some leases as they were known when an event was the last of all, for who asks for all
     * projects'. Those that had been refused, deleted or not asked for by then are not among them.
     *
     * @param asOf the position of that event
     */
    default Map<LeaseId, LeaseView> find(Set<LeaseId> ids, long asOf) {
        return ids.stream()
                .flatMap(id -> find(id, null, asOf).stream())
                .collect(Collectors.toUnmodifiableMap(LeaseView::id, Function.identity()));
    }

    /** Which of some leases are there, and not over. */
    default Set<LeaseId> living(Set<LeaseId> ids) {
        return ids.stream()
                .filter(
                        id ->
                                find(id, null)
                                        .filter(lease -> lease.status() != LeaseStatus.ENDED)
                                        .isPresent())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * A lease, for whoever has just sent a command that changed it: as this command left it, or
     * later. As {@link #find} otherwise.
     */
    default Optional<LeaseView> findWritten(LeaseId id, @Nullable ProjectId project) {
        return find(id, project);
    }

    /**
     * A page of leases, by the time of their making. A long list is read page by page: none of it
     * is held while somebody reads slowly.
     *
     * @throws UnknownMarker if the marker is neither one that a page gave nor the id of a lease
     *     that the project has or had
     */
    Page<LeaseView> list(ListLeases question);

    /**
     * A page of leases as they were known when an event was the last of all, in the order in which
     * they were asked for, or came from elsewhere. Those that have been deleted since are there. A
     * page is full unless it is the last one, or some hundred thousand leases have another status
     * than is asked for: no more are looked at for one page.
     *
     * @param asOf the position of that event; {@link Projections} has to stand on it with {@link
     *     Feed#STANDS_ON}
     * @throws UnknownMarker if the marker is none that such a page gave
     */
    Page<LeaseView> list(ListLeases question, long asOf);

    /** Every event of a lease, deleted and refused ones included; empty for an unknown lease. */
    List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project);

    /**
     * Which leases to list.
     *
     * @param project null for all projects
     * @param statuses any of these; none for every status
     * @param name null for any
     * @param direction oldest first, or newest
     * @param marker where the page before ended, or the id of its last lease; null for the first
     *     page
     * @param limit 1 to 1000
     */
    record ListLeases(
            @Nullable ProjectId project,
            Set<LeaseStatus> statuses,
            @Nullable String name,
            Direction direction,
            @Nullable String marker,
            int limit) {

        public ListLeases {
            statuses = Set.copyOf(statuses);
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 leases: " + limit);
            }
        }

        /** The same list, continued. */
        public ListLeases after(String place) {
            return new ListLeases(project, statuses, name, direction, place, limit);
        }
    }
}
