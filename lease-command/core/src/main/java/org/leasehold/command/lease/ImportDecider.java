package org.leasehold.command.lease;

import static org.leasehold.command.lease.SharedLeaseRules.rejected;

import org.leasehold.command.calendar.AdoptedReservation;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.lease.DemandPlanner.Reading.Clear;
import org.leasehold.command.lease.DemandPlanner.Reading.Unclear;
import org.leasehold.command.lease.DemandPlanner.Understood;
import org.leasehold.lease.LeaseCommand.ImportLease;
import org.leasehold.lease.LeaseCommand.ImportLease.Imported;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.NotFree;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides the import of a lease from another reservation service. */
final class ImportDecider {

    private final DemandPlanner demands;

    ImportDecider(DemandPlanner demands) {
        this.demands = demands;
    }

    Proposal propose(ImportLease command, Lease lease, Instant now) {
        if (!(lease instanceof Lease.Absent)) {
            return rejected(new LeaseExists(command.leaseId()));
        }
        Optional<LeaseRejection> fault =
                SharedLeaseRules.checkName(command.name())
                        .or(
                                () ->
                                        SharedLeaseRules.checkBeforeEnd(
                                                command.beforeEnd(), command.period()));
        if (fault.isPresent()) {
            return rejected(fault.get());
        }
        return switch (demands.read(command.reservations().stream().map(Imported::wish).toList())) {
            case Unclear(LeaseRejection rejection) -> rejected(rejection);
            case Clear(List<Understood> wishes) -> propose(command, wishes, now);
        };
    }

    private static Proposal propose(ImportLease command, List<Understood> wishes, Instant now) {
        List<AdoptedReservation> adopted = new ArrayList<>();
        for (int index = 0; index < wishes.size(); index++) {
            Understood understood = wishes.get(index);
            Stage stage = stage(command.past(), understood);
            // An ended reservation holds nothing, not even in the calendar.
            if (stage != Stage.ENDED) {
                if (understood.demands().size() > 1) {
                    return rejected(
                            new NotFree(
                                    understood.wish().id(),
                                    "the resources of its several kinds cannot be assigned to"
                                            + " demands"));
                }
                adopted.add(
                        new AdoptedReservation(
                                understood.wish().id(),
                                understood.demands().getFirst(),
                                command.period(),
                                command.reservations().get(index).slots(),
                                stage.holds()));
            }
        }
        return Proposal.of(
                new Adopt(command.leaseId(), command.projectId(), adopted, now),
                grant -> decide(command, wishes, grant));
    }

    private static Stage stage(LeasePast past, Understood understood) {
        return past.of(understood.wish().id()).map(LeasePast.OfReservation::stage).orElseThrow();
    }

    private static Decision decide(
            ImportLease command, List<Understood> wishes, Grant.OfAdopt grant) {
        return switch (grant) {
            case Grant.Held held -> Decision.accepted(events(command, wishes, held));
            case Grant.NotFree(var reservation, String reason) ->
                    Decision.rejected(new NotFree(reservation, reason));
        };
    }

    private static List<LeaseEvent> events(
            ImportLease command, List<Understood> wishes, Grant.Held held) {
        List<LeaseEvent> events = new ArrayList<>();
        events.add(
                new LeaseRequested(
                        command.leaseId(),
                        command.projectId(),
                        command.userId(),
                        command.name(),
                        command.period(),
                        command.beforeEnd(),
                        wishes.stream().map(Understood::wish).toList(),
                        null));
        held.allocations()
                .forEach(
                        (reservation, allocations) ->
                                events.add(
                                        new ReservationGranted(
                                                command.leaseId(),
                                                reservation,
                                                command.period(),
                                                held.cleaning(),
                                                allocations)));
        events.add(new LeaseImported(command.leaseId(), command.past(), held.tenures()));
        return events;
    }
}
