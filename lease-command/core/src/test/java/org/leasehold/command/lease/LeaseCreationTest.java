package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseRejection.BeforeEndOutside;
import org.leasehold.lease.LeaseRejection.EndInPast;
import org.leasehold.lease.LeaseRejection.EndNotAfterStart;
import org.leasehold.lease.LeaseRejection.InvalidName;
import org.leasehold.lease.LeaseRejection.InvalidReservation;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.StartInPast;
import org.leasehold.lease.LeaseRejection.TooManyReservations;
import org.leasehold.lease.LeaseRejection.UnknownKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Tests requests for new leases. */
class LeaseCreationTest extends LeaseLifeFixture {

    @Test
    void a_creation_records_the_request_and_the_grant_as_separate_events() {
        given().when(create(1, 1)).expectEvents(requested(wish(1, 1)), granted(PERIOD, 1));
    }

    @Test
    void a_lease_without_reservations_is_accepted() {
        given().when(create(List.of(), START, END, WARNING))
                .expectEvents(
                        new LeaseRequested(
                                LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, List.of(), null));
    }

    @Test
    void a_request_for_more_than_a_hundred_reservations_is_rejected() {
        given().when(create(wishes(101), START, END, null)).rejected(new TooManyReservations(100));
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    @Test
    void an_operator_may_set_a_lower_number_of_reservations() {
        LeaseDecider decider =
                new LeaseDecider(new HostOnlyPlugins(), LeaseSettings.ofCounts(2, 0));
        assertThat(proposed(decider, 2).request()).isInstanceOf(Hold.class);
        assertThat(proposed(decider, 3).decide().apply(new Grant.Done()))
                .isEqualTo(Decision.rejected(new TooManyReservations(2)));
        assertThatThrownBy(() -> LeaseSettings.ofCounts(0, 0))
                .hasMessageContaining("max-reservations is 1 to 100");
        assertThatThrownBy(() -> LeaseSettings.ofCounts(101, 0))
                .hasMessageContaining("max-reservations is 1 to 100");
    }

    private static Proposal proposed(LeaseDecider decider, int reservations) {
        return decider.propose(
                create(wishes(reservations), START, END, null), new Lease.Absent(), NOW);
    }

    private static List<ReservationWish> wishes(int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        i ->
                                new ReservationWish(
                                        new ReservationId(new UUID(1, i)),
                                        ResourceKind.PHYSICAL_HOST,
                                        HostOnlyPlugins.parameters(1, 1)))
                .toList();
    }

    @Test
    void a_refusal_records_the_request_and_the_shortages() {
        calendar.answerNext(new Grant.HoldRefused(List.of(SHORTAGE), 41));
        given().when(create(2, 2))
                .refused()
                .expectEvents(
                        new LeaseRefused(
                                LEASE,
                                PROJECT,
                                USER,
                                "nightly",
                                PERIOD,
                                WARNING,
                                List.of(wish(2, 2)),
                                List.of(SHORTAGE),
                                41,
                                null));
    }

    @Test
    void a_start_in_the_current_minute_claims_no_time_in_the_past() {
        Instant minute = Instant.parse("2030-01-01T11:30:00Z");
        given().when(create(List.of(wish(1, 1)), minute, END, null));
        assertThat(((Hold) calendar.requests().getFirst()).wanted())
                .extracting(Wanted::period)
                .containsExactly(new LeasePeriod(NOW, END));
    }

    @Test
    void a_start_before_the_current_minute_is_rejected() {
        Instant past = Instant.parse("2030-01-01T11:29:59Z");
        given().when(create(List.of(), past, END, null)).rejected(new StartInPast(past, NOW));
    }

    @Test
    void an_end_that_is_not_after_the_start_is_rejected() {
        given().when(create(List.of(), START, START, null))
                .rejected(new EndNotAfterStart(START, START));
    }

    @Test
    void an_end_within_the_current_minute_that_has_passed_is_rejected() {
        Instant start = Instant.parse("2030-01-01T11:30:00Z");
        Instant end = start.plusSeconds(10);
        given().when(create(List.of(), start, end, null)).rejected(new EndInPast(end, NOW));
    }

    @Test
    void an_announcement_outside_the_window_is_rejected() {
        given().when(create(List.of(), START, END, END))
                .rejected(new BeforeEndOutside(END, PERIOD));
    }

    @Test
    void a_name_of_more_than_80_characters_is_rejected() {
        given().when(
                        new CreateLease(
                                LEASE,
                                PROJECT,
                                USER,
                                "x".repeat(81),
                                START,
                                END,
                                null,
                                List.of(),
                                null,
                                null))
                .rejected(new InvalidName(81, 80));
    }

    @Test
    void an_unknown_kind_is_rejected() {
        ResourceKind foo = new ResourceKind("foo");
        given().when(
                        create(
                                List.of(new ReservationWish(RESERVATION, foo, Map.of())),
                                START,
                                END,
                                null))
                .rejected(new UnknownKind(foo));
    }

    @Test
    void a_missing_parameter_is_rejected_by_name() {
        given().when(
                        create(
                                List.of(
                                        new ReservationWish(
                                                RESERVATION,
                                                ResourceKind.PHYSICAL_HOST,
                                                Map.of("max", 1))),
                                START,
                                END,
                                null))
                .rejected(new InvalidReservation(0, "min", "Missing parameter min"));
    }

    @Test
    void a_creation_with_a_used_lease_id_is_rejected() {
        given(pending()).when(create(1, 1)).rejected(new LeaseExists(LEASE));
    }
}
