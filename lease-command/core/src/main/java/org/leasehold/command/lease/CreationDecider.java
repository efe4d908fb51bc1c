package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.rejected;

import org.leasehold.command.calendar.Grant;
import org.leasehold.command.lease.DemandPlanner.Reading.Clear;
import org.leasehold.command.lease.DemandPlanner.Reading.Unclear;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.TooManyLeases;
import org.leasehold.lease.LeaseRejection.TooManyRetries;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides the creation of a lease. */
final class CreationDecider {

    private final DemandPlanner demands;
    private final DateRules dates;
    private final int maxReservations;
    private final long maxLeases;
    private final RetrySettings retries;

    /**
     * Takes the limits.
     *
     * @param maxLeases the maximum per project, 0 for no limit
     */
    CreationDecider(
            DemandPlanner demands,
            DateRules dates,
            int maxReservations,
            long maxLeases,
            RetrySettings retries) {
        this.demands = demands;
        this.dates = dates;
        this.maxReservations = maxReservations;
        this.maxLeases = maxLeases;
        this.retries = retries;
    }

    Proposal propose(CreateLease command, Lease lease, ProjectLeases existing, Instant now) {
        if (!(lease instanceof Lease.Absent)) {
            return rejected(new LeaseExists(command.leaseId()));
        }
        Optional<LeaseRejection> fault =
                SharedLeaseRules.checkName(command.name())
                        .or(() -> dates.check(command, now))
                        .or(
                                () ->
                                        SharedLeaseRules.checkReservationCount(
                                                command.reservations().size(), maxReservations))
                        .or(() -> checkRetry(command));
        if (fault.isPresent()) {
            return rejected(fault.get());
        }
        LeasePeriod period = new LeasePeriod(command.start(), command.end());
        return switch (demands.read(command.reservations())) {
            case Unclear(LeaseRejection rejection) -> rejected(rejection);
            case Clear(List<Understood> wishes) ->
                    SharedLeaseRules.checkBeforeEnd(command.beforeEnd(), period)
                            .or(() -> checkLeaseLimit(existing.unfinished()))
                            .map(SharedLeaseRules::rejected)
                            .orElseGet(() -> propose(command, period, wishes, existing, now));
        };
    }

    private Optional<LeaseRejection> checkLeaseLimit(long unfinished) {
        return maxLeases > 0 && unfinished >= maxLeases
                ? Optional.of(new TooManyLeases(maxLeases))
                : Optional.empty();
    }

    private Optional<LeaseRejection> checkRetry(CreateLease command) {
        return command.retry() == null ? Optional.empty() : retries.check(command.retry());
    }

    private Proposal propose(
            CreateLease command,
            LeasePeriod period,
            List<Understood> wishes,
            ProjectLeases existing,
            Instant now) {
        LeaseRequest request =
                LeaseRequest.of(command, period, wishes.stream().map(Understood::wish).toList());
        LeasePeriod claimed = request.claimedFrom(now);
        return Proposal.of(
                request.hold(wishes, claimed),
                grant ->
                        switch (grant) {
                            case Grant.Held held ->
                                    Decision.accepted(request.granted(claimed, held));
                            case Grant.HoldRefused refusal ->
                                    planRetry(command, period, now)
                                            .map(plan -> retry(request, plan, refusal, existing))
                                            .orElseGet(
                                                    () ->
                                                            request.refused(
                                                                    refusal.shortages(),
                                                                    refusal.asOf()));
                        });
    }

    /** Returns the plan of the requested retries; empty if there are none in the window. */
    private Optional<RetryPlan> planRetry(CreateLease command, LeasePeriod period, Instant now) {
        Retry retry = command.retry();
        return retry == null
                ? Optional.empty()
                : RetryPlan.first(period, retries.attempts(retry), retries.interval(retry), now);
    }

    private Decision retry(
            LeaseRequest request,
            RetryPlan plan,
            Grant.HoldRefused refusal,
            ProjectLeases existing) {
        return existing.retried() >= retries.maxPerProject()
                ? Decision.rejected(new TooManyRetries(retries.maxPerProject()))
                : request.retried(plan, refusal);
    }
}
