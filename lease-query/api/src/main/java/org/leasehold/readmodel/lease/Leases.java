package org.leasehold.readmodel.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Queries for leases. A project sees its own leases only; null queries all projects. */
public interface Leases {

    /** Returns a lease; empty if refused, deleted, never requested, or another project's. */
    Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project);

    /**
     * Returns a lease as of an event; empty if it was refused, deleted or not requested by then, or
     * is another project's.
     *
     * @param asOf the position of that event
     */
    Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf);

    /**
     * Returns some leases of any project as of an event. Those that were refused, deleted or not
     * requested by then are left out.
     *
     * @param asOf the position of that event
     */
    default Map<LeaseId, LeaseView> find(Set<LeaseId> ids, long asOf) {
        return ids.stream()
                .flatMap(id -> find(id, null, asOf).stream())
                .collect(Collectors.toUnmodifiableMap(LeaseView::id, Function.identity()));
    }

    /** Returns those of some leases that exist and have not ended. */
    default Set<LeaseId> findUnfinished(Set<LeaseId> ids) {
        return ids.stream()
                .filter(
                        id ->
                                find(id, null)
                                        .filter(lease -> lease.status() != LeaseStatus.ENDED)
                                        .isPresent())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns a lease for the sender of a command that has just changed it: as of that command, or
     * later. Otherwise it is like {@link #find}.
     */
    default Optional<LeaseView> findWritten(LeaseId id, @Nullable ProjectId project) {
        return find(id, project);
    }

    /**
     * Returns a page of leases. A long list is read page by page: nothing is held in memory for a
     * slow reader.
     *
     * @throws UnknownMarker if the marker is neither one that a page of the same list gave nor the
     *     id of a lease that the project has or had
     */
    Page<LeaseView> list(ListLeases question);

    /**
     * Returns a page of leases as of an event, in the order in which they were requested or
     * imported. Leases that were deleted since are included. A page is full unless it is the last
     * one, or some hundred thousand leases have another status than requested: one page scans no
     * more.
     *
     * @param asOf the position of that event; {@link ProjectionOffsets} must have reached it for
     *     {@link EventFeed#READ_MODEL}
     * @throws UnknownMarker if no page of the same list gave the marker
     * @throws IllegalArgumentException if the query has another order than that of the creation, or
     *     filters by anything but project, status and whole name: these lists are not indexed
     */
    Page<LeaseView> list(ListLeases question, long asOf);

    /** Returns all events of a lease, even if deleted or refused; empty for an unknown lease. */
    List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project);

    /** Returns a part of these events; the marker is the number of the last one. */
    default Page<HistoryEntry> history(LeaseId id, @Nullable ProjectId project, HistoryPart part) {
        Long after = part.after();
        List<HistoryEntry> rest =
                history(id, project).stream()
                        .filter(entry -> after == null || entry.sequence() > after)
                        .filter(entry -> entry.position() <= part.upTo())
                        .limit(part.limit() + 1L)
                        .toList();
        return Page.of(rest, part.limit(), last -> Long.toString(last.sequence()));
    }

    /**
     * A part of a history.
     *
     * @param after the number of the last event of the part before; null for the first part
     * @param upTo the position of the last event to include
     * @param limit 1 to 1000
     */
    record HistoryPart(@Nullable Long after, long upTo, int limit) {

        public HistoryPart {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a part has 1 to 1000 events: " + limit);
            }
        }
    }

    /**
     * A query for leases.
     *
     * @param marker the end of the page before, or the id of its last lease if leases are ordered
     *     by their creation; null for the first page
     * @param limit 1 to 1000
     */
    record ListLeases(LeaseFilter filter, LeaseOrder order, @Nullable String marker, int limit) {

        public ListLeases {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 leases: " + limit);
            }
        }

        /**
         * Makes a query by project, status and whole name, in the order of the creation.
         *
         * @param project null for all projects
         * @param statuses any of these; none for every status
         * @param name null for any
         * @param direction oldest first, or newest
         */
        public ListLeases(
                @Nullable ProjectId project,
                Set<LeaseStatus> statuses,
                @Nullable String name,
                SortDirection direction,
                @Nullable String marker,
                int limit) {
            this(
                    LeaseFilter.of(project, statuses, name),
                    new LeaseOrder(LeaseOrder.Key.CREATED, direction),
                    marker,
                    limit);
        }

        /** Returns the query for the page after a marker. */
        public ListLeases after(String marker) {
            return new ListLeases(filter, order, marker, limit);
        }
    }
}
