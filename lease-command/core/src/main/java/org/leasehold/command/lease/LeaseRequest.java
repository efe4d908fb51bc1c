package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A valid request for a lease, and the events that follow from the calendar's answer to it. */
record LeaseRequest(
        LeaseId id,
        ProjectId project,
        UserId user,
        String name,
        LeasePeriod period,
        @Nullable Instant beforeEnd,
        List<ReservationWish> reservations,
        @Nullable StartFailurePolicy onFailure) {

    static LeaseRequest of(CreateLease command, LeasePeriod period, List<ReservationWish> wishes) {
        return new LeaseRequest(
                command.leaseId(),
                command.projectId(),
                command.userId(),
                command.name(),
                period,
                command.beforeEnd(),
                wishes,
                command.onFailure());
    }

    static LeaseRequest of(LeaseRetryScheduled event) {
        return new LeaseRequest(
                event.leaseId(),
                event.projectId(),
                event.userId(),
                event.name(),
                event.period(),
                event.beforeEnd(),
                event.reservations(),
                event.onFailure());
    }

    /** Returns the claimed window. A start may be past, when others still had the resources. */
    LeasePeriod claimedFrom(Instant now) {
        return new LeasePeriod(SharedLeaseRules.later(period.start(), now), period.end());
    }

    Hold hold(List<Understood> wishes, LeasePeriod claimed) {
        return new Hold(id, project, wanted(wishes, claimed));
    }

    /** Returns the same for another attempt. */
    Hold repeatedHold(List<Understood> wishes, LeasePeriod claimed) {
        return new Hold(id, project, wanted(wishes, claimed), null, true);
    }

    private static List<Wanted> wanted(List<Understood> wishes, LeasePeriod claimed) {
        return wishes.stream().flatMap(wish -> wanted(wish, claimed)).toList();
    }

    private static Stream<Wanted> wanted(Understood understood, LeasePeriod claimed) {
        return understood.demands().stream()
                .map(
                        demand ->
                                new Wanted(
                                        understood.wish().id(), demand, claimed, List.of(), false));
    }

    /** Returns the events of a grant. */
    List<LeaseEvent> granted(LeasePeriod claimed, Grant.Held held) {
        List<LeaseEvent> events = new ArrayList<>();
        events.add(
                new LeaseRequested(
                        id, project, user, name, period, beforeEnd, reservations, onFailure));
        held.allocations()
                .forEach(
                        (reservation, allocations) ->
                                events.add(
                                        new ReservationGranted(
                                                id,
                                                reservation,
                                                claimed,
                                                held.cleaning(),
                                                allocations)));
        return events;
    }

    Decision refused(List<Shortage> shortages, long asOf) {
        return new Decision.Refused(
                new LeaseRefused(
                        id,
                        project,
                        user,
                        name,
                        period,
                        beforeEnd,
                        reservations,
                        shortages,
                        asOf,
                        onFailure),
                shortages);
    }

    Decision retried(RetryPlan plan, Grant.HoldRefused refusal) {
        return Decision.accepted(
                new LeaseRetryScheduled(
                        id,
                        project,
                        user,
                        name,
                        period,
                        beforeEnd,
                        reservations,
                        plan,
                        refusal.shortages(),
                        refusal.asOf(),
                        onFailure));
    }
}
