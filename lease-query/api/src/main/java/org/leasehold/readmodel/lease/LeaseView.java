package org.leasehold.readmodel.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A lease as its project sees it.
 *
 * @param period the agreed window; an early end does not change it
 * @param beforeEnd the time at which the end is announced; null for no announcement
 * @param explanation the reason why the lease is delayed, in error, degraded, or ended in another
 *     way than planned; null otherwise
 * @param createdAt the time of its acceptance
 * @param updatedAt the time of its last change; null before its first change
 * @param version the number of events of the lease so far; an entity tag
 * @param retries the refused attempts to create it; null if the first one was granted
 * @param onFailure the policy for a failed start; null for {@link StartFailurePolicy#KEEP}
 */
public record LeaseView(
        LeaseId id,
        ProjectId projectId,
        UserId userId,
        String name,
        LeaseStatus status,
        LeasePeriod period,
        @Nullable Instant beforeEnd,
        @Nullable String explanation,
        List<ReservationView> reservations,
        List<ScheduledEventView> scheduledEvents,
        Instant createdAt,
        @Nullable Instant updatedAt,
        long version,
        @Nullable LeaseRetries retries,
        @Nullable StartFailurePolicy onFailure) {

    public LeaseView {
        reservations = List.copyOf(reservations);
        scheduledEvents = List.copyOf(scheduledEvents);
    }

    /** Returns whether any reservation lacks resources or got others than it was granted first. */
    public boolean degraded() {
        return reservations.stream().anyMatch(r -> r.lacksResources() || r.resourcesChanged());
    }

    /** Returns the reservation with an id; empty if the lease has none. */
    public Optional<ReservationView> reservation(ReservationId reservation) {
        return reservations.stream().filter(each -> each.id().equals(reservation)).findFirst();
    }

    /** Returns the same lease with another explanation. */
    public LeaseView explained(String why) {
        return new LeaseView(
                id,
                projectId,
                userId,
                name,
                status,
                period,
                beforeEnd,
                why,
                reservations,
                scheduledEvents,
                createdAt,
                updatedAt,
                version,
                retries,
                onFailure);
    }
}
