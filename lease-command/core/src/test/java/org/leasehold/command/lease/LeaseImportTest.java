package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.AdoptedReservation;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ImportLease;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.NotFree;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests imports of leases from another service. */
class LeaseImportTest extends LeaseLifeFixture {

    @Test
    void an_imported_pending_lease_keeps_the_imported_allocations() {
        given().when(imported(Stage.PENDING, 3))
                .expectEvents(
                        requested(wish(1, 1)), grantedHost(3), came(Stage.PENDING, List.of()));
        assertThat(((Adopt) calendar.requests().getFirst()).reservations())
                .extracting(AdoptedReservation::period, AdoptedReservation::held)
                .containsExactly(tuple(PERIOD, false));
    }

    @Test
    void an_imported_active_lease_continues_without_a_start() {
        given().at(WARNING)
                .when(imported(Stage.ACTIVE, 3))
                .expectEvents(
                        requested(wish(1, 1)), grantedHost(3), came(Stage.ACTIVE, List.of(TENURE)));
    }

    @Test
    void an_imported_pending_lease_starts_at_the_start_date() {
        given(waited())
                .at(START)
                .when(new StartLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
    }

    @Test
    void an_imported_active_lease_ends_at_the_end_date() {
        given(ran()).at(START).when(new StartLease(LEASE)).nothing();
        given(ran())
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
    }

    @Test
    void an_end_announced_before_the_import_is_not_announced_twice() {
        given(ran()).at(WARNING).when(new AnnounceEnd(LEASE)).nothing();
        given(waited())
                .at(WARNING)
                .when(new AnnounceEnd(LEASE))
                .expectEvents(new LeaseEndAnnounced(LEASE));
    }

    @Test
    void an_announcement_that_failed_before_the_import_is_repeated() {
        LeaseEvent came =
                new LeaseImported(
                        LEASE, past(Stage.ACTIVE, LeasePast.OfStep.Status.ERROR), List.of(TENURE));
        given(with(ran().subList(0, ran().size() - 1), came))
                .at(WARNING)
                .when(new AnnounceEnd(LEASE))
                .expectEvents(new LeaseEndAnnounced(LEASE));
    }

    @Test
    void an_imported_failed_lease_ends_at_the_end_date_or_starts_on_a_retry() {
        List<LeaseEvent> history =
                List.of(requested(wish(1, 1)), grantedHost(1), came(Stage.FAILED, List.of(TENURE)));
        given(history)
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
        given(history)
                .at(WARNING)
                .when(new RetryLease(LEASE))
                .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
    }

    @Test
    void an_imported_ended_lease_holds_no_allocation() {
        given().at(END)
                .when(imported(Stage.ENDED, 3))
                .expectEvents(requested(wish(1, 1)), came(Stage.ENDED, List.of()));
        assertThat(((Adopt) calendar.requests().getFirst()).reservations()).isEmpty();
        given(requested(wish(1, 1)), came(Stage.ENDED, List.of()))
                .at(END)
                .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                .nothing();
    }

    @Test
    void an_import_of_a_resource_that_is_not_free_is_rejected_by_name() {
        calendar.answerNext(new Grant.NotFree(RESERVATION, "compute-3 is unknown"));
        given().when(imported(Stage.ACTIVE, 3))
                .rejected(new NotFree(RESERVATION, "compute-3 is unknown"));
    }

    @Test
    void a_second_import_of_a_lease_is_rejected() {
        given(ran()).when(imported(Stage.ACTIVE, 3)).rejected(new LeaseExists(LEASE));
    }

    private List<LeaseEvent> waited() {
        return List.of(requested(wish(1, 1)), granted(PERIOD, 1), came(Stage.PENDING, List.of()));
    }

    private List<LeaseEvent> ran() {
        return List.of(
                requested(wish(1, 1)), granted(PERIOD, 1), came(Stage.ACTIVE, List.of(TENURE)));
    }

    private ImportLease imported(Stage stage, long host) {
        return new ImportLease(
                LEASE,
                PROJECT,
                USER,
                "nightly",
                PERIOD,
                WARNING,
                List.of(
                        new ImportLease.Imported(
                                wish(1, 1),
                                stage == Stage.ENDED ? Map.of() : Map.of(new ResourceId(host), 1))),
                past(stage));
    }

    private LeaseEvent grantedHost(long host) {
        return new ReservationGranted(
                LEASE, RESERVATION, PERIOD, Duration.ZERO, List.of(allocation(host)));
    }

    private LeaseEvent came(Stage stage, List<Tenure> tenures) {
        return new LeaseImported(LEASE, past(stage), tenures);
    }

    private LeasePast past(Stage stage) {
        return past(
                stage,
                stage == Stage.ACTIVE
                        ? LeasePast.OfStep.Status.DONE
                        : LeasePast.OfStep.Status.UNDONE);
    }

    private LeasePast past(Stage stage, LeasePast.OfStep.Status announced) {
        return new LeasePast(
                stage,
                null,
                List.of(
                        new LeasePast.OfReservation(
                                RESERVATION, stage, null, false, false, NOW, null)),
                List.of(
                        new LeasePast.OfStep(
                                LeasePast.OfStep.Step.BEFORE_END,
                                new UUID(0, 9),
                                announced,
                                NOW,
                                null)),
                NOW,
                null);
    }
}
