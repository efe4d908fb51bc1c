package org.leasehold.command.lease;

import org.leasehold.command.calendar.Grant;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;

/** Decides the further attempts to create a lease that the calendar could not hold. */
final class RetryDecider {

    private final DemandPlanner demands;
    private final Duration earlyPause;

    /**
     * Takes the rules.
     *
     * @param earlyPause the shortest time from a refused early attempt to the next early one
     */
    RetryDecider(DemandPlanner demands, Duration earlyPause) {
        this.demands = demands;
        this.earlyPause = earlyPause;
    }

    Proposal propose(RetryCreation command, Lease lease, Instant now) {
        return switch (lease) {
            // The command of an earlier attempt may be sent twice.
            case Lease.Retrying(_, LeaseRetryScheduled last)
                    when now.isBefore(last.plan().nextAttempt()) ->
                    SharedLeaseRules.nothingToDo();
            case Lease.Retrying(_, LeaseRetryScheduled last) -> attempt(last, now);
            case Lease.Absent _ -> SharedLeaseRules.notFound(command.leaseId());
            // An earlier attempt has decided already, or the lease is gone.
            case Lease.Refused _,
                    Lease.Deleted _,
                    Lease.Pending _,
                    Lease.Delayed _,
                    Lease.Starting _,
                    Lease.Active _,
                    Lease.Failed _,
                    Lease.Ending _,
                    Lease.EndFailed _,
                    Lease.Ended _ ->
                    SharedLeaseRules.nothingToDo();
        };
    }

    /** Decides an early attempt. A refusal stores an event too, so that its hold conflicts. */
    Proposal propose(RetryEarly command, Lease lease, Instant now) {
        return switch (lease) {
            case Lease.Retrying(_, LeaseRetryScheduled last) when last.plan().allowsEarly(now) ->
                    hold(
                            last,
                            now,
                            (request, refusal) ->
                                    request.retried(
                                            last.plan().afterEarly(earlyPause, now), refusal));
            case Lease.Absent _ -> SharedLeaseRules.notFound(command.leaseId());
            // Another attempt was first, or none is possible now.
            case Lease.Retrying _,
                    Lease.Refused _,
                    Lease.Deleted _,
                    Lease.Pending _,
                    Lease.Delayed _,
                    Lease.Starting _,
                    Lease.Active _,
                    Lease.Failed _,
                    Lease.Ending _,
                    Lease.EndFailed _,
                    Lease.Ended _ ->
                    SharedLeaseRules.nothingToDo();
        };
    }

    private Proposal attempt(LeaseRetryScheduled last, Instant now) {
        if (!now.isBefore(last.plan().until())) {
            return Proposal.decided(LeaseRequest.of(last).refused(last.shortages(), last.asOf()));
        }
        return hold(
                last,
                now,
                (request, refusal) ->
                        last.plan()
                                .next(request.period(), now)
                                .map(plan -> request.retried(plan, refusal))
                                .orElseGet(
                                        () ->
                                                request.refused(
                                                        refusal.shortages(), refusal.asOf())));
    }

    private Proposal hold(
            LeaseRetryScheduled last,
            Instant now,
            BiFunction<LeaseRequest, Grant.HoldRefused, Decision> onRefusal) {
        LeaseRequest request = LeaseRequest.of(last);
        List<Understood> wishes =
                request.reservations().stream()
                        .map(wish -> new Understood(wish, demands.demandsOf(wish)))
                        .toList();
        LeasePeriod claimed = request.claimedFrom(now);
        return Proposal.of(
                request.repeatedHold(wishes, claimed),
                grant ->
                        switch (grant) {
                            case Grant.Held held ->
                                    Decision.accepted(request.granted(claimed, held));
                            case Grant.HoldRefused refusal -> onRefusal.apply(request, refusal);
                        });
    }
}
