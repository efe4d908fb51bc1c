package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.rejected;

import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.lease.DemandPlanner.Reading.Clear;
import org.leasehold.command.lease.DemandPlanner.Reading.Unclear;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.TooManyLeases;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides the creation of a lease. */
final class CreationDecider {

    private final DemandPlanner demands;
    private final DateRules dates;
    private final int maxReservations;
    private final long maxLeases;

    /**
     * Takes the limits.
     *
     * @param maxLeases the maximum per project, 0 for no limit
     */
    CreationDecider(DemandPlanner demands, DateRules dates, int maxReservations, long maxLeases) {
        this.demands = demands;
        this.dates = dates;
        this.maxReservations = maxReservations;
        this.maxLeases = maxLeases;
    }

    Proposal propose(CreateLease command, Lease lease, long unfinished, Instant now) {
        if (!(lease instanceof Lease.Absent)) {
            return rejected(new LeaseExists(command.leaseId()));
        }
        Optional<LeaseRejection> fault =
                SharedLeaseRules.checkName(command.name())
                        .or(() -> dates.check(command, now))
                        .or(
                                () ->
                                        SharedLeaseRules.checkReservationCount(
                                                command.reservations().size(), maxReservations));
        if (fault.isPresent()) {
            return rejected(fault.get());
        }
        LeasePeriod period = new LeasePeriod(command.start(), command.end());
        return switch (demands.read(command.reservations())) {
            case Unclear(LeaseRejection rejection) -> rejected(rejection);
            case Clear(List<Understood> wishes) ->
                    SharedLeaseRules.checkBeforeEnd(command.beforeEnd(), period)
                            .or(() -> checkLeaseLimit(unfinished))
                            .map(SharedLeaseRules::rejected)
                            .orElseGet(() -> propose(command, period, wishes, now));
        };
    }

    private Optional<LeaseRejection> checkLeaseLimit(long unfinished) {
        return maxLeases > 0 && unfinished >= maxLeases
                ? Optional.of(new TooManyLeases(maxLeases))
                : Optional.empty();
    }

    private static Proposal propose(
            CreateLease command, LeasePeriod period, List<Understood> wishes, Instant now) {
        // A start of "now" may be up to a minute ago, when others still had the resources.
        LeasePeriod claimed =
                new LeasePeriod(SharedLeaseRules.later(period.start(), now), period.end());
        Hold hold =
                new Hold(
                        command.leaseId(),
                        command.projectId(),
                        wishes.stream().flatMap(wish -> wanted(wish, claimed)).toList());
        List<ReservationWish> wished = wishes.stream().map(Understood::wish).toList();
        return Proposal.of(hold, grant -> decide(command, period, claimed, wished, grant));
    }

    private static Stream<Wanted> wanted(Understood understood, LeasePeriod claimed) {
        return understood.demands().stream()
                .map(
                        demand ->
                                new Wanted(
                                        understood.wish().id(), demand, claimed, List.of(), false));
    }

    private static Decision decide(
            CreateLease command,
            LeasePeriod period,
            LeasePeriod claimed,
            List<ReservationWish> wishes,
            Grant.OfHold grant) {
        return switch (grant) {
            case Grant.TooFew(var shortages, long asOf) ->
                    new Decision.Refused(
                            new LeaseRefused(
                                    command.leaseId(),
                                    command.projectId(),
                                    command.userId(),
                                    command.name(),
                                    period,
                                    command.beforeEnd(),
                                    wishes,
                                    shortages,
                                    asOf),
                            shortages);
            case Grant.Held held ->
                    Decision.accepted(events(command, period, claimed, wishes, held));
        };
    }

    private static List<LeaseEvent> events(
            CreateLease command,
            LeasePeriod period,
            LeasePeriod claimed,
            List<ReservationWish> wishes,
            Grant.Held held) {
        List<LeaseEvent> events = new ArrayList<>();
        events.add(
                new LeaseRequested(
                        command.leaseId(),
                        command.projectId(),
                        command.userId(),
                        command.name(),
                        period,
                        command.beforeEnd(),
                        wishes));
        held.allocations()
                .forEach(
                        (reservation, allocations) ->
                                events.add(
                                        new ReservationGranted(
                                                command.leaseId(),
                                                reservation,
                                                claimed,
                                                held.cleaning(),
                                                allocations)));
        return events;
    }
}
