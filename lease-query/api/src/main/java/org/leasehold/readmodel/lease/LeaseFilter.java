package org.leasehold.readmodel.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The conditions of a list of leases. All of them hold for each lease.
 *
 * @param project null for all projects
 * @param statuses any of these; none for every status
 * @param name the whole name; null for any
 * @param namePrefix the beginning of the name, literally, and not empty; null for any
 * @param kind the kind of one of the reservations; null for any
 * @param user the user who requested the lease; null for any
 * @param resource a resource that one of the reservations has or had; null for any
 * @param startBefore leases whose window starts before this instant; null for any
 * @param endAfter leases whose window ends after this instant; null for any
 */
public record LeaseFilter(
        @Nullable ProjectId project,
        Set<LeaseStatus> statuses,
        @Nullable String name,
        @Nullable String namePrefix,
        @Nullable ResourceKind kind,
        @Nullable UserId user,
        @Nullable ResourceId resource,
        @Nullable Instant startBefore,
        @Nullable Instant endAfter) {

    public LeaseFilter {
        if (namePrefix != null && namePrefix.isEmpty()) {
            throw new IllegalArgumentException("a beginning of a name has a character");
        }
        // An enum set keeps one order in every process, which markers need.
        statuses =
                statuses.isEmpty()
                        ? Set.of()
                        : Collections.unmodifiableSet(EnumSet.copyOf(statuses));
    }

    /** Returns the filter of lists by project, status and whole name. */
    public static LeaseFilter of(
            @Nullable ProjectId project, Set<LeaseStatus> statuses, @Nullable String name) {
        return new LeaseFilter(project, statuses, name, null, null, null, null, null, null);
    }

    /**
     * Returns whether a lease meets all conditions except the resource: a view does not have the
     * resources of the past.
     */
    public boolean matches(LeaseView lease) {
        return (project == null || project.equals(lease.projectId()))
                && (statuses.isEmpty() || statuses.contains(lease.status()))
                && (name == null || name.equals(lease.name()))
                && (namePrefix == null || lease.name().startsWith(namePrefix))
                && (user == null || user.equals(lease.userId()))
                && (kind == null || lease.reservations().stream().anyMatch(this::isOfKind))
                && (startBefore == null || lease.period().start().isBefore(startBefore))
                && (endAfter == null || lease.period().end().isAfter(endAfter));
    }

    private boolean isOfKind(ReservationView reservation) {
        return reservation.kind().equals(kind);
    }
}
