package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Questions about leases. A project sees its own leases only; null asks across all projects. */
public interface Leases {

    /** A lease; empty when it was refused, deleted, never was, or is another project's. */
    Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project);

    /**
     * A page of leases, oldest first.
     *
     * @throws IllegalArgumentException if the marker is not one that a page gave
     */
    Page<LeaseView> list(ListLeases question);

    /** All leases, oldest first, without holding them in memory together. */
    void forEach(@Nullable ProjectId project, Consumer<LeaseView> consumer);

    /** Every event of a lease, deleted and refused ones included; empty for an unknown lease. */
    List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project);

    /**
     * Which leases to list.
     *
     * @param project null for all projects
     * @param status null for any
     * @param marker where the page before ended; null for the first page
     * @param limit 1 to 1000
     */
    record ListLeases(
            @Nullable ProjectId project,
            @Nullable LeaseStatus status,
            @Nullable String marker,
            int limit) {

        public ListLeases {
            if (limit < 1 || limit > 1000) {
                throw new IllegalArgumentException("a page has 1 to 1000 leases: " + limit);
            }
        }
    }
}
