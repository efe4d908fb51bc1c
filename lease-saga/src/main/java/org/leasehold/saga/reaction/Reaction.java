package org.leasehold.saga.reaction;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.List;

/** A saga's reaction to an event. */
public sealed interface Reaction {

    record SetTimer(String key, Instant due, LeaseCommand command) implements Reaction {}

    record CancelTimers(List<String> keys) implements Reaction {

        public CancelTimers {
            keys = List.copyOf(keys);
        }
    }

    record Submit(PluginTask task) implements Reaction {}

    record Withdraw(ReservationId reservation) implements Reaction {}

    /** A wait: the lease tries to start whenever one of these reservations releases a resource. */
    record Await(LeaseId lease, List<ReservationId> awaited) implements Reaction {

        public Await {
            awaited = List.copyOf(awaited);
        }
    }

    /** An attempt of the lease to start at once. */
    record TryAgain(LeaseId lease) implements Reaction {}

    /** A wake-up of the leases that wait for the reservation, which released a resource. */
    record Wake(ReservationId reservation) implements Reaction {}

    /**
     * A report to the lease at once, whether it can use the resource; the last one counts.
     *
     * @param reason the reason of the outage; null if it is over
     */
    record ReportOutage(LeaseId lease, ResourceId resource, @Nullable String reason)
            implements Reaction {}

    /** A request to the lease at once to replace a resource that went out of service. */
    record ReplaceResource(LeaseId lease, ResourceId resource) implements Reaction {}

    /** A request to replace a failed resource of a running reservation, unless it recovers soon. */
    record ReplaceLater(LeaseId lease, ReservationId reservation, ResourceId resource)
            implements Reaction {}

    static Reaction endWait(LeaseId lease) {
        return new Await(lease, List.of());
    }

    static SetTimer setStartTimer(LeaseId lease, Instant due) {
        return new SetTimer(startKey(lease), due, new LeaseCommand.StartLease(lease));
    }

    static Reaction setAnnouncementTimer(LeaseId lease, Instant due) {
        return new SetTimer(announcementKey(lease), due, new LeaseCommand.AnnounceEnd(lease));
    }

    static Reaction setEndTimer(LeaseId lease, Instant due) {
        return new SetTimer(
                endKey(lease), due, new LeaseCommand.EndLease(lease, EndCause.WINDOW_OVER));
    }

    /** Sets the timer of the next planned attempt. */
    static SetTimer setRetryTimer(LeaseId lease, Instant due) {
        return new SetTimer(retryKey(lease), due, new LeaseCommand.RetryCreation(lease));
    }

    /** Sets the timer of an early attempt, beside that of the next planned one. */
    static SetTimer setEarlyTimer(LeaseId lease, Instant due) {
        return new SetTimer(earlyKey(lease), due, new LeaseCommand.RetryEarly(lease));
    }

    /** Cancels the timers of the next planned attempt and of an early one. */
    static CancelTimers cancelRetry(LeaseId lease) {
        return new CancelTimers(List.of(retryKey(lease), earlyKey(lease)));
    }

    /**
     * Sets a timer that reports an outage; the last one for a resource and a lease counts.
     *
     * @param reason the reason of the outage; null if it is over
     */
    static SetTimer setOutageTimer(
            LeaseId lease, ResourceId resource, Instant due, @Nullable String reason) {
        return new SetTimer(
                "outage:%s:%s".formatted(lease, resource),
                due,
                new LeaseCommand.RecordOutage(lease, resource, null, reason));
    }

    /** Sets a timer that requests the replacement of a resource out of service. */
    static SetTimer setReplacementTimer(LeaseId lease, ResourceId resource, Instant due) {
        return new SetTimer(
                "replace:%s:%s".formatted(lease, resource),
                due,
                new LeaseCommand.ReplaceResource(lease, resource));
    }

    /** Sets a timer that requests the replacement of a failed resource. */
    static SetTimer setReplacementTimer(ReplaceLater later, Instant due) {
        return new SetTimer(
                failedKey(later.lease(), later.reservation(), later.resource()),
                due,
                new LeaseCommand.ReplaceFailedResource(
                        later.lease(), later.reservation(), later.resource()));
    }

    /** Cancels the timer of the replacement of a failed resource. */
    static CancelTimers cancelReplacement(
            LeaseId lease, ReservationId reservation, ResourceId resource) {
        return new CancelTimers(List.of(failedKey(lease, reservation, resource)));
    }

    private static String failedKey(LeaseId lease, ReservationId reservation, ResourceId resource) {
        return "failed:%s:%s:%s".formatted(lease, reservation, resource);
    }

    static Reaction cancelAnnouncement(LeaseId lease) {
        return new CancelTimers(List.of(announcementKey(lease)));
    }

    static CancelTimers cancelAllTimers(LeaseId lease) {
        return new CancelTimers(
                List.of(retryKey(lease), startKey(lease), announcementKey(lease), endKey(lease)));
    }

    private static String retryKey(LeaseId lease) {
        return "retry:" + lease;
    }

    private static String earlyKey(LeaseId lease) {
        return "early:" + lease;
    }

    private static String startKey(LeaseId lease) {
        return "start:" + lease;
    }

    private static String announcementKey(LeaseId lease) {
        return "announce-end:" + lease;
    }

    private static String endKey(LeaseId lease) {
        return "end:" + lease;
    }
}
