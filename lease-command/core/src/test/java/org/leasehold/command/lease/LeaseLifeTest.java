package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.ResultValidator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.CalendarRequest.Adopted;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Nothing;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.ImportLease;
import org.leasehold.lease.LeaseCommand.NoteOutage;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.BeforeEndOutside;
import org.leasehold.lease.LeaseRejection.EndInPast;
import org.leasehold.lease.LeaseRejection.EndNotAfterStart;
import org.leasehold.lease.LeaseRejection.InvalidName;
import org.leasehold.lease.LeaseRejection.InvalidReservation;
import org.leasehold.lease.LeaseRejection.KindIsFixed;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.lease.LeaseRejection.LeaseOver;
import org.leasehold.lease.LeaseRejection.NotFree;
import org.leasehold.lease.LeaseRejection.StartAlreadyHappened;
import org.leasehold.lease.LeaseRejection.StartInPast;
import org.leasehold.lease.LeaseRejection.TooManyReservations;
import org.leasehold.lease.LeaseRejection.UnknownKind;
import org.leasehold.lease.LeaseRejection.UnknownReservations;
import org.leasehold.lease.LeaseRejection.VersionMismatch;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The specification of a lease's lifecycle: given events, when a command, then events or rejection.
 */
class LeaseLifeTest {

    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));
    private static final ReservationId OTHER_LEASES = new ReservationId(new UUID(0, 3));
    private static final ProjectId PROJECT = new ProjectId("p1");
    private static final UserId USER = new UserId("u1");

    private static final Instant NOW = Instant.parse("2030-01-01T11:30:20Z");
    private static final Instant START = Instant.parse("2030-01-01T12:00:00Z");
    private static final Instant WARNING = Instant.parse("2030-01-01T13:00:00Z");
    private static final Instant END = Instant.parse("2030-01-01T14:00:00Z");
    private static final LeasePeriod PERIOD = new LeasePeriod(START, END);
    private static final Tenure TENURE = new Tenure(RESERVATION, GENERATION);
    private static final Shortage SHORTAGE =
            new Shortage(
                    RESERVATION,
                    ResourceKind.PHYSICAL_HOST,
                    2,
                    5,
                    1,
                    PERIOD,
                    1,
                    END.plusSeconds(60));

    private final ScriptedCalendar calendar = new ScriptedCalendar();
    private AggregateTestFixture<LeaseAggregate> fixture;

    @BeforeEach
    void prepare() {
        fixture = new AggregateTestFixture<>(LeaseAggregate.class);
        fixture.registerCommandTargetResolver(
                message ->
                        new VersionedAggregateIdentifier(
                                (Object) ((LeaseCommand) message.getPayload()).leaseId().toString(),
                                null));
        fixture.registerInjectableResource(
                new LeaseDecider(new HostOnlyPlugins(), LeaseSettings.defaults()));
        fixture.registerInjectableResource(calendar);
        fixture.registerInjectableResource(new UnlimitedLeaseCounts());
    }

    @Nested
    class When_the_caller_says_what_they_saw {

        private final LeaseEvent renamed = new LeaseRenamed(LEASE, "b");

        @Test
        void the_second_change_of_the_same_version_is_rejected() {
            given(pending()).when(rename("b"), Set.of(2L)).expectEvents(renamed);
            given(with(pending(), renamed))
                    .when(rename("c"), Set.of(2L))
                    .rejected(new VersionMismatch(LEASE, 3));
        }

        @Test
        void one_matching_version_of_several_suffices() {
            given(pending()).when(rename("b"), Set.of(1L, 2L)).expectEvents(renamed);
        }

        @Test
        void an_empty_set_of_expected_versions_is_a_mismatch() {
            given(pending()).when(rename("b"), Set.of()).rejected(new VersionMismatch(LEASE, 2));
        }

        @Test
        void a_command_without_effect_is_rejected_on_a_version_mismatch() {
            given(ended())
                    .at(END)
                    .when(new EndLease(LEASE, EndCause.REQUESTED), Set.of(2L))
                    .rejected(new VersionMismatch(LEASE, ended().size()));
        }

        @Test
        void a_deleted_lease_is_not_found_despite_a_version_mismatch() {
            given(with(ended(), new LeaseDeleted(LEASE)))
                    .when(rename("b"), Set.of(2L))
                    .rejected(new LeaseNotFound(LEASE));
        }
    }

    @Nested
    class When_it_is_requested {

        @Test
        void a_creation_records_the_request_and_the_grant_as_separate_events() {
            given().when(create(1, 1)).expectEvents(requested(wish(1, 1)), granted(PERIOD, 1));
        }

        @Test
        void a_lease_without_reservations_is_accepted() {
            given().when(create(List.of(), START, END, WARNING))
                    .expectEvents(
                            new LeaseRequested(
                                    LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, List.of()));
        }

        @Test
        void a_request_for_more_than_a_hundred_reservations_is_rejected() {
            given().when(create(wishes(101), START, END, null))
                    .rejected(new TooManyReservations(100));
            assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
        }

        @Test
        void an_operator_may_set_a_lower_number_of_reservations() {
            LeaseDecider decider = new LeaseDecider(new HostOnlyPlugins(), new LeaseSettings(2, 0));
            assertThat(proposed(decider, 2).request()).isInstanceOf(Hold.class);
            assertThat(proposed(decider, 3).decide().apply(new Grant.Done()))
                    .isEqualTo(Decision.rejected(new TooManyReservations(2)));
            assertThatThrownBy(() -> new LeaseSettings(0, 0))
                    .hasMessageContaining("max-reservations is 1 to 100");
            assertThatThrownBy(() -> new LeaseSettings(101, 0))
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
            calendar.answerNext(new Grant.TooFew(List.of(SHORTAGE), 41));
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
                                    41));
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
                                    List.of()))
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

    @Nested
    class When_it_comes_from_another_service {

        @Test
        void an_imported_pending_lease_keeps_the_imported_allocations() {
            given().when(imported(Stage.PENDING, 3))
                    .expectEvents(
                            requested(wish(1, 1)), grantedHost(3), came(Stage.PENDING, List.of()));
            assertThat(((Adopt) calendar.requests().getFirst()).reservations())
                    .extracting(Adopted::period, Adopted::held)
                    .containsExactly(tuple(PERIOD, false));
        }

        @Test
        void an_imported_active_lease_continues_without_a_start() {
            given().at(WARNING)
                    .when(imported(Stage.ACTIVE, 3))
                    .expectEvents(
                            requested(wish(1, 1)),
                            grantedHost(3),
                            came(Stage.ACTIVE, List.of(TENURE)));
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
                            LEASE,
                            past(Stage.ACTIVE, LeasePast.OfStep.Status.ERROR),
                            List.of(TENURE));
            given(with(ran().subList(0, ran().size() - 1), came))
                    .at(WARNING)
                    .when(new AnnounceEnd(LEASE))
                    .expectEvents(new LeaseEndAnnounced(LEASE));
        }

        @Test
        void an_imported_failed_lease_ends_at_the_end_date_or_starts_on_a_retry() {
            List<LeaseEvent> history =
                    List.of(
                            requested(wish(1, 1)),
                            grantedHost(1),
                            came(Stage.FAILED, List.of(TENURE)));
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
            return List.of(
                    requested(wish(1, 1)), granted(PERIOD, 1), came(Stage.PENDING, List.of()));
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
                                    stage == Stage.ENDED
                                            ? Map.of()
                                            : Map.of(new ResourceId(host), 1))),
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

    @Nested
    class When_its_window_begins {

        @Test
        void a_pending_lease_starts_at_the_start_date() {
            given(pending())
                    .at(START)
                    .when(new StartLease(LEASE))
                    .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
        }

        @Test
        void a_lease_does_not_start_before_the_start_date() {
            given(pending()).at(START.minusMillis(1)).when(new StartLease(LEASE)).nothing();
        }

        @Test
        void a_lease_does_not_start_at_the_end_date() {
            given(pending()).at(END).when(new StartLease(LEASE)).nothing();
        }

        @Test
        void a_second_start_has_no_effect() {
            given(starting()).at(START).when(new StartLease(LEASE)).nothing();
        }

        @Test
        void a_lease_without_reservations_is_active_at_once() {
            given(new LeaseRequested(LEASE, PROJECT, USER, "nightly", PERIOD, null, List.of()))
                    .at(START)
                    .when(new StartLease(LEASE))
                    .expectEvents(new LeaseStarting(LEASE, List.of()), new LeaseActivated(LEASE));
        }

        @Test
        void a_delay_names_the_awaited_reservations() {
            calendar.answerNext(new Grant.Awaited(List.of(OTHER_LEASES), "compute-1 is in use"));
            given(pending())
                    .at(START)
                    .when(new StartLease(LEASE))
                    .expectEvents(
                            new LeaseDelayed(LEASE, List.of(OTHER_LEASES), "compute-1 is in use"));
        }

        @Test
        void a_delay_for_the_same_reservations_is_recorded_once() {
            calendar.answerNext(new Grant.Awaited(List.of(OTHER_LEASES), "compute-1 is in use"));
            given(delayed()).at(START).when(new StartLease(LEASE)).nothing();
        }

        @Test
        void a_delayed_lease_starts_when_the_resources_are_free() {
            given(delayed())
                    .at(START.plusSeconds(9))
                    .when(new StartLease(LEASE))
                    .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
        }

        @Test
        void a_resource_that_cannot_serve_is_replaced() {
            calendar.answerNext(
                    new Grant.TakenUp(
                            List.of(TENURE),
                            List.of(
                                    new Grant.Replacement(
                                            RESERVATION,
                                            new ResourceId(1),
                                            allocation(9),
                                            "compute-1 is disabled: new fan"))));
            given(pending())
                    .at(START)
                    .when(new StartLease(LEASE))
                    .expectEvents(
                            new ResourceReplaced(
                                    LEASE,
                                    RESERVATION,
                                    new ResourceId(1),
                                    allocation(9),
                                    "compute-1 is disabled: new fan"),
                            new LeaseStarting(LEASE, List.of(TENURE)));
        }

        @Test
        void a_start_without_a_replacement_fails_and_names_the_resource() {
            calendar.answerNext(
                    new Grant.Unserviceable(RESERVATION, "compute-1 is disabled: new fan"));
            given(pending())
                    .at(START)
                    .when(new StartLease(LEASE))
                    .expectEvents(failed(Action.START, "compute-1 is disabled: new fan"));
        }

        @Test
        void a_lease_is_active_when_every_reservation_is_active() {
            given(starting())
                    .at(START)
                    .when(new ConfirmStart(LEASE, TENURE))
                    .expectEvents(
                            new ReservationActivated(LEASE, RESERVATION),
                            new LeaseActivated(LEASE));
        }

        @Test
        void a_confirmed_start_stores_the_ids_of_cloud_objects() {
            given(starting())
                    .at(START)
                    .when(new ConfirmStart(LEASE, TENURE, Map.of("aggregate_id", 7)))
                    .expectEvents(
                            new ReservationActivated(LEASE, RESERVATION, Map.of("aggregate_id", 7)),
                            new LeaseActivated(LEASE));
        }

        @Test
        void a_confirmation_of_an_earlier_tenure_has_no_effect() {
            given(starting())
                    .at(START)
                    .when(new ConfirmStart(LEASE, new Tenure(RESERVATION, GENERATION - 1)))
                    .nothing();
        }

        @Test
        void a_repeated_confirmation_of_a_start_has_no_effect() {
            given(active()).at(START).when(new ConfirmStart(LEASE, TENURE)).nothing();
        }

        @Test
        void a_fault_at_the_start_fails_the_reservation() {
            given(starting())
                    .at(START)
                    .when(
                            new ReportFault(
                                    LEASE,
                                    TENURE,
                                    Action.START,
                                    new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, "no such host")))
                    .expectEvents(failed(Action.START, "no such host"));
        }

        @Test
        void a_fault_of_an_earlier_action_has_no_effect_on_an_ending_lease() {
            LeaseEvent ending = new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE));
            LeaseEvent adjusting = new ReservationAdjusting(LEASE, TENURE, List.of(), List.of());
            Fault fault = new Fault(Fault.Kind.RETRYABLE, "no such host");
            given(with(starting(), ending))
                    .at(END)
                    .when(new ReportFault(LEASE, TENURE, Action.START, fault))
                    .nothing();
            prepare();
            given(with(with(active(), adjusting), ending))
                    .at(END)
                    .when(new ReportFault(LEASE, TENURE, Action.ADJUST, fault))
                    .nothing();
        }

        @Test
        void a_retry_repeats_a_failed_start() {
            given(with(starting(), failed(Action.START, "no such host")))
                    .at(START)
                    .when(new RetryLease(LEASE))
                    .expectEvents(new LeaseStarting(LEASE, List.of(TENURE)));
        }

        @Test
        void a_retry_does_not_repeat_a_failed_start_after_the_window() {
            given(with(starting(), failed(Action.START, "no such host")))
                    .at(END)
                    .when(new RetryLease(LEASE))
                    .nothing();
        }

        @Test
        void a_retry_of_a_healthy_lease_is_rejected() {
            given(active())
                    .at(START)
                    .when(new RetryLease(LEASE))
                    .rejected(new WrongStatus("Active", "retry"));
        }
    }

    @Nested
    class When_it_is_changed {

        @Test
        void a_rename_is_accepted_from_pending_to_ended() {
            for (List<LeaseEvent> state :
                    List.of(pending(), delayed(), starting(), active(), ending(), ended())) {
                prepare();
                given(state)
                        .at(START)
                        .when(rename("weekly"))
                        .expectEvents(new LeaseRenamed(LEASE, "weekly"));
            }
        }

        @Test
        void an_empty_change_has_no_effect() {
            given(pending()).when(change(null, null, null)).nothing();
        }

        @Test
        void a_prolongation_keeps_the_distance_of_the_announcement_to_the_end() {
            LeasePeriod longer = new LeasePeriod(START, END.plusSeconds(3600));
            given(pending())
                    .when(change(null, longer.end(), null))
                    .expectEvents(
                            new LeaseRescheduled(LEASE, longer, WARNING.plusSeconds(3600)),
                            granted(longer, 1));
        }

        @Test
        void a_change_of_an_active_lease_claims_the_rest_of_the_window() {
            Instant middle = START.plusSeconds(60);
            given(active()).at(middle).when(change(null, END.plusSeconds(60), null));
            assertThat(((Hold) calendar.requests().getLast()).wanted())
                    .extracting(Wanted::period, Wanted::running, Wanted::current)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(
                                    new LeasePeriod(middle, END.plusSeconds(60)),
                                    true,
                                    List.of(new ResourceId(1))));
        }

        @Test
        void a_change_of_the_window_requests_no_additional_hosts() {
            given(requested(wish(1, 5)), granted(PERIOD, 2))
                    .when(change(null, END.plusSeconds(60), null));
            assertThat(
                            ((Hold) calendar.requests().getFirst())
                                    .wanted()
                                    .getFirst()
                                    .demand()
                                    .maximum())
                    .isEqualTo(2);
        }

        @Test
        void a_refused_change_leaves_the_lease_unchanged() {
            calendar.answerNext(new Grant.TooFew(List.of(SHORTAGE), 41));
            LeasePeriod longer = new LeasePeriod(START, END.plusSeconds(3600));
            given(active())
                    .at(START)
                    .when(change(null, longer.end(), null))
                    .refused()
                    .expectEvents(
                            new LeaseChangeRefused(
                                    LEASE, longer, List.of(wish(1, 1)), List.of(SHORTAGE), 41));
        }

        @Test
        void an_active_reservation_grows_by_an_adjustment() {
            given(active())
                    .at(START)
                    .when(resize(2, 2))
                    .expectEvents(
                            changed(2, 2),
                            granted(PERIOD, 2),
                            new ReservationAdjusting(
                                    LEASE,
                                    new Tenure(RESERVATION, GENERATION + 1),
                                    List.of(new ResourceId(2)),
                                    List.of()));
        }

        @Test
        void an_active_reservation_shrinks_by_an_adjustment() {
            given(active(2))
                    .at(START)
                    .when(resize(1, 1))
                    .expectEvents(
                            changed(1, 1),
                            granted(PERIOD, 1),
                            new ReservationAdjusting(
                                    LEASE,
                                    new Tenure(RESERVATION, GENERATION + 1),
                                    List.of(),
                                    List.of(allocation(2))));
        }

        @Test
        void a_confirmed_adjustment_releases_the_removed_resource() {
            Tenure tenure = new Tenure(RESERVATION, GENERATION + 1);
            given(
                            with(
                                    active(2),
                                    changed(1, 1),
                                    granted(PERIOD, 1),
                                    new ReservationAdjusting(
                                            LEASE, tenure, List.of(), List.of(allocation(2)))))
                    .at(START)
                    .when(new ConfirmAdjustment(LEASE, tenure, Map.of("id", "x")))
                    .expectEvents(
                            new ReservationAdjusted(
                                    LEASE,
                                    RESERVATION,
                                    List.of(new ResourceId(2)),
                                    Map.of("id", "x")));
        }

        @Test
        void a_change_of_the_start_of_an_active_lease_is_rejected() {
            given(active())
                    .at(START.plusSeconds(1))
                    .when(change(START.plusSeconds(60), null, null))
                    .rejected(new StartAlreadyHappened(START));
        }

        @Test
        void a_start_is_not_moved_into_the_past() {
            Instant past = NOW.minusSeconds(60);
            given(pending()).when(change(past, null, null)).rejected(new StartInPast(past, NOW));
        }

        @Test
        void an_end_is_not_moved_into_the_past() {
            Instant later = START.plusSeconds(600);
            Instant past = START.plusSeconds(300);
            given(active())
                    .at(later)
                    .when(change(null, past, null))
                    .rejected(new EndInPast(past, later));
        }

        @Test
        void an_end_moved_into_the_current_minute_is_set_to_a_second_from_now() {
            Instant later = START.plusSeconds(601);
            LeasePeriod rest = new LeasePeriod(START, later.plusSeconds(1));
            given(active())
                    .at(later)
                    .when(change(null, START.plusSeconds(600), rest.end().minusMillis(500)))
                    .expectEvents(
                            new LeaseRescheduled(LEASE, rest, rest.end().minusMillis(500)),
                            new ReservationGranted(
                                    LEASE,
                                    RESERVATION,
                                    new LeasePeriod(later, rest.end()),
                                    Duration.ZERO,
                                    List.of(allocation(1))));
        }

        @Test
        void a_window_change_of_an_ended_lease_is_rejected() {
            given(ended())
                    .at(END)
                    .when(change(null, END.plusSeconds(600), null))
                    .rejected(new LeaseOver(END));
        }

        @Test
        void unknown_reservations_are_rejected_by_id() {
            given(pending())
                    .when(
                            new ChangeLease(
                                    LEASE,
                                    null,
                                    null,
                                    null,
                                    null,
                                    List.of(new ReservationChange(OTHER_LEASES, Map.of()))))
                    .rejected(new UnknownReservations(List.of(OTHER_LEASES.toString())));
        }

        @Test
        void a_change_of_the_kind_of_a_reservation_is_rejected() {
            given(pending())
                    .when(
                            new ChangeLease(
                                    LEASE,
                                    null,
                                    null,
                                    null,
                                    null,
                                    List.of(
                                            new ReservationChange(
                                                    RESERVATION, Map.of("resource_type", "foo")))))
                    .rejected(new KindIsFixed(RESERVATION));
        }

        @Test
        void a_window_change_of_a_starting_lease_is_rejected() {
            given(starting())
                    .at(START)
                    .when(change(null, END.plusSeconds(60), null))
                    .rejected(new WrongStatus("Starting", "change"));
        }
    }

    @Nested
    class When_a_reservation_joins {

        private final ReservationId joiner = new ReservationId(new UUID(0, 4));
        private final ReservationWish wish =
                new ReservationWish(
                        joiner, ResourceKind.PHYSICAL_HOST, HostOnlyPlugins.parameters(1, 1));
        private final LeaseEvent added = new ReservationAdded(LEASE, wish);
        private final Tenure tenure = new Tenure(joiner, GENERATION + 1);
        private final LeaseEvent its = its(PERIOD, 2);

        @Test
        void a_reservation_is_added_to_a_pending_lease() {
            given(pending()).when(join(wish)).expectEvents(added, granted(PERIOD, 1), its);
            assertThat(((Hold) calendar.requests().getLast()).wanted())
                    .extracting(Wanted::running)
                    .containsExactly(false, false);
        }

        @Test
        void an_added_reservation_starts_with_the_other_reservations() {
            for (List<LeaseEvent> state : List.of(pending(), delayed())) {
                prepare();
                given(with(state, added, its))
                        .at(START)
                        .when(new StartLease(LEASE))
                        .expectEvents(
                                new LeaseStarting(
                                        LEASE, List.of(TENURE, new Tenure(joiner, GENERATION))));
            }
        }

        @Test
        void an_added_reservation_of_an_active_lease_starts_at_once() {
            given(active())
                    .at(START)
                    .when(join(wish))
                    .expectEvents(
                            added,
                            granted(PERIOD, 1),
                            its,
                            new LeaseStarting(LEASE, List.of(tenure)));
            assertThat(((Hold) calendar.requests().getLast()).wanted())
                    .extracting(Wanted::running)
                    .containsExactly(true, true);
        }

        @Test
        void a_reservation_is_added_to_an_active_lease_without_reservations() {
            given(
                            new LeaseRequested(
                                    LEASE, PROJECT, USER, "nightly", PERIOD, null, List.of()),
                            new LeaseStarting(LEASE, List.of()),
                            new LeaseActivated(LEASE))
                    .at(START)
                    .when(join(wish))
                    .expectEvents(added, its(PERIOD, 1), new LeaseStarting(LEASE, List.of(tenure)));
        }

        @Test
        void a_lease_is_active_when_the_added_reservation_is_active() {
            given(joined())
                    .at(START)
                    .when(new ConfirmStart(LEASE, tenure))
                    .expectEvents(
                            new ReservationActivated(LEASE, joiner), new LeaseActivated(LEASE));
        }

        @Test
        void a_lease_becomes_active_during_an_adjustment() {
            LeaseEvent adjusting =
                    new ReservationAdjusting(LEASE, TENURE, List.of(), List.of(allocation(1)));
            given(with(with(active(), adjusting), started()))
                    .at(START)
                    .when(new ConfirmStart(LEASE, tenure))
                    .expectEvents(
                            new ReservationActivated(LEASE, joiner), new LeaseActivated(LEASE));
        }

        @Test
        void a_retry_starts_only_the_failed_added_reservation() {
            LeaseEvent failure =
                    new ReservationFailed(
                            LEASE,
                            joiner,
                            Action.START,
                            new Fault(Fault.Kind.RETRYABLE, "no answer"));
            LeaseEvent adjusting =
                    new ReservationAdjusting(LEASE, TENURE, List.of(), List.of(allocation(1)));
            given(with(joined(), failure))
                    .at(START)
                    .when(new RetryLease(LEASE))
                    .expectEvents(
                            new LeaseStarting(LEASE, List.of(new Tenure(joiner, GENERATION))));
            prepare();
            given(with(with(with(active(), adjusting), started()), failure))
                    .at(START)
                    .when(new RetryLease(LEASE))
                    .expectEvents(
                            new LeaseStarting(LEASE, List.of(new Tenure(joiner, GENERATION))));
        }

        @Test
        void an_added_reservation_ends_with_the_lease() {
            given(
                            with(
                                    joined(),
                                    new ReservationActivated(LEASE, joiner),
                                    new LeaseActivated(LEASE)))
                    .at(END)
                    .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                    .expectEvents(
                            new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE, tenure)));
        }

        @Test
        void a_change_with_an_added_reservation_is_atomic() {
            LeasePeriod longer = new LeasePeriod(START, END.plusSeconds(3600));
            ChangeLease both =
                    new ChangeLease(LEASE, "b", null, longer.end(), null, List.of(), List.of(wish));
            given(active())
                    .at(START)
                    .when(both)
                    .expectEvents(
                            new LeaseRenamed(LEASE, "b"),
                            new LeaseRescheduled(LEASE, longer, WARNING.plusSeconds(3600)),
                            added,
                            granted(longer, 1),
                            its(longer, 2),
                            new LeaseStarting(LEASE, List.of(tenure)));
            prepare();
            calendar.answerNext(new Grant.TooFew(List.of(SHORTAGE), 41));
            given(active())
                    .at(START)
                    .when(both)
                    .refused()
                    .expectEvents(
                            new LeaseChangeRefused(
                                    LEASE,
                                    longer,
                                    List.of(wish(1, 1), wish),
                                    List.of(SHORTAGE),
                                    41));
        }

        @Test
        void a_repeated_addition_of_a_reservation_has_no_effect() {
            given(with(pending(), added, its)).when(join(wish)).nothing();
            prepare();
            given(joined()).at(START).when(join(wish)).nothing();
        }

        @Test
        void an_added_reservation_of_an_unknown_kind_is_rejected() {
            ResourceKind foo = new ResourceKind("foo");
            given(pending())
                    .when(join(new ReservationWish(joiner, foo, Map.of())))
                    .rejected(new UnknownKind(foo));
        }

        @Test
        void a_starting_ending_failed_or_ended_lease_rejects_an_addition() {
            given(starting()).at(START).when(join(wish)).rejected(wrong("Starting", "change"));
            prepare();
            given(ending()).at(START).when(join(wish)).rejected(wrong("Ending", "change"));
            prepare();
            given(with(starting(), failed(Action.START, "no such host")))
                    .at(START)
                    .when(join(wish))
                    .rejected(wrong("Failed", "take a further reservation"));
            prepare();
            given(ended()).at(START).when(join(wish)).rejected(new LeaseOver(END));
        }

        @Test
        void an_addition_beyond_a_hundred_reservations_is_rejected() {
            ReservationWish[] many =
                    IntStream.range(0, 99)
                            .mapToObj(
                                    i ->
                                            new ReservationWish(
                                                    new ReservationId(new UUID(1, i)),
                                                    ResourceKind.PHYSICAL_HOST,
                                                    HostOnlyPlugins.parameters(1, 1)))
                            .toArray(ReservationWish[]::new);
            LeaseEvent[] grown =
                    Stream.of(many)
                            .map(each -> new ReservationAdded(LEASE, each))
                            .toArray(LeaseEvent[]::new);

            given(with(pending(), grown)).when(join(wish)).rejected(new TooManyReservations(100));
        }

        private WrongStatus wrong(String status, String asked) {
            return new WrongStatus(status, asked);
        }

        private ChangeLease join(ReservationWish further) {
            return new ChangeLease(LEASE, null, null, null, null, List.of(), List.of(further));
        }

        private LeaseEvent its(LeasePeriod period, int host) {
            return new ReservationGranted(
                    LEASE, joiner, period, Duration.ZERO, List.of(allocation(host)));
        }

        private LeaseEvent[] started() {
            return new LeaseEvent[] {added, its, new LeaseStarting(LEASE, List.of(tenure))};
        }

        private List<LeaseEvent> joined() {
            return with(active(), started());
        }
    }

    @Nested
    class When_what_it_has_goes_down {

        @Test
        void an_outage_and_a_recovery_are_recorded_once() {
            given(active(2)).when(down(2)).expectEvents(lost(2));
            given(with(active(2), lost(2))).when(down(2)).nothing();
            given(with(active(2), lost(2))).when(up(2)).expectEvents(back(2));
            given(with(active(2), lost(2), back(2))).when(up(2)).nothing();
            given(with(active(2), lost(2), back(2))).when(down(2)).expectEvents(lost(2));
        }

        @Test
        void a_starting_lease_records_an_outage_and_a_recovery() {
            given(starting()).when(down(1)).expectEvents(lost(1));
            given(with(starting(), lost(1)))
                    .when(new ConfirmStart(LEASE, TENURE))
                    .expectEvents(
                            new ReservationActivated(LEASE, RESERVATION),
                            new LeaseActivated(LEASE));
            given(with(starting(), lost(1), new ReservationActivated(LEASE, RESERVATION)))
                    .when(up(1))
                    .expectEvents(back(1));
        }

        @Test
        void an_outage_of_a_resource_outside_the_lease_has_no_effect() {
            given(active()).when(down(2)).nothing();
            given(active()).when(up(1)).nothing();
        }

        @Test
        void an_outage_before_the_start_has_no_effect() {
            given(pending()).when(down(1)).nothing();
            given(delayed()).when(down(1)).nothing();
        }

        @Test
        void an_ending_or_ended_lease_records_no_outage() {
            given(ending()).when(down(1)).nothing();
            given(
                            with(
                                    active(),
                                    lost(1),
                                    new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(TENURE))))
                    .when(up(1))
                    .nothing();
            given(ended()).when(down(1)).nothing();
        }

        @Test
        void an_outage_of_an_absent_or_deleted_lease_has_no_effect() {
            given().when(down(1)).nothing();
            given(with(ended(), new LeaseDeleted(LEASE))).when(down(1)).nothing();
        }

        @Test
        void a_recovery_of_a_removed_resource_has_no_effect() {
            given(with(active(2), lost(2), changed(1, 1), granted(new LeasePeriod(NOW, END), 1)))
                    .when(up(2))
                    .nothing();
        }

        @Test
        void a_recovery_of_a_replaced_resource_has_no_effect() {
            given(
                            with(
                                    starting(),
                                    lost(1),
                                    failed(Action.START, "no"),
                                    new ResourceReplaced(
                                            LEASE,
                                            RESERVATION,
                                            new ResourceId(1),
                                            allocation(5),
                                            "it is down"),
                                    new LeaseStarting(LEASE, List.of(TENURE))))
                    .when(up(1))
                    .nothing();
        }

        @Test
        void an_outage_of_one_reservation_does_not_affect_others() {
            ReservationId other = new ReservationId(UUID.randomUUID());
            ResourceId host = new ResourceId(1);
            given(active()).at(START).when(new NoteOutage(LEASE, host, other, "gone")).nothing();
            prepare();
            given(active())
                    .at(START)
                    .when(new NoteOutage(LEASE, host, RESERVATION, "it is down"))
                    .expectEvents(lost(1));
            prepare();
            given(with(active(), lost(1)))
                    .at(START)
                    .when(new NoteOutage(LEASE, host, other, null))
                    .nothing();
        }

        @Test
        void a_retry_adjusts_an_active_lease_with_an_outage_once() {
            LeaseEvent adjusting = new ReservationAdjusting(LEASE, TENURE, List.of(), List.of());
            given(with(active(), lost(1)))
                    .at(START)
                    .when(new RetryLease(LEASE))
                    .expectEvents(adjusting);
            prepare();
            given(with(with(active(), lost(1)), adjusting))
                    .at(START)
                    .when(new RetryLease(LEASE))
                    .nothing();
            prepare();
            given(with(with(active(), lost(1)), back(1)))
                    .at(START)
                    .when(new RetryLease(LEASE))
                    .rejected(new WrongStatus("Active", "retry"));
        }

        private static NoteOutage down(long host) {
            return new NoteOutage(LEASE, new ResourceId(host), null, "it is down");
        }

        private static NoteOutage up(long host) {
            return new NoteOutage(LEASE, new ResourceId(host), null, null);
        }

        private static LeaseEvent lost(long host) {
            return new ResourceFailed(LEASE, RESERVATION, new ResourceId(host), "it is down");
        }

        private static LeaseEvent back(long host) {
            return new ResourceRecovered(LEASE, RESERVATION, new ResourceId(host));
        }
    }

    @Nested
    class When_its_end_comes {

        @Test
        void the_end_is_announced_once() {
            given(active())
                    .at(WARNING)
                    .when(new AnnounceEnd(LEASE))
                    .expectEvents(new LeaseEndAnnounced(LEASE));
            prepare();
            given(with(active(), new LeaseEndAnnounced(LEASE)))
                    .at(WARNING)
                    .when(new AnnounceEnd(LEASE))
                    .nothing();
        }

        @Test
        void a_prolonged_lease_announces_the_new_end() {
            Instant next = END.plusSeconds(60);
            given(
                            with(
                                    active(),
                                    new LeaseEndAnnounced(LEASE),
                                    new LeaseRescheduled(
                                            LEASE,
                                            new LeasePeriod(START, next.plusSeconds(60)),
                                            next)))
                    .at(next)
                    .when(new AnnounceEnd(LEASE))
                    .expectEvents(new LeaseEndAnnounced(LEASE));
        }

        @Test
        void an_end_on_time_does_not_change_the_calendar() {
            given(active())
                    .at(END)
                    .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                    .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
            assertThat(calendar.requests().getLast()).isEqualTo(new Nothing());
        }

        @Test
        void a_lease_does_not_end_before_the_end_date() {
            given(active())
                    .at(END.minusMillis(1))
                    .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                    .nothing();
        }

        @Test
        void a_requested_end_shortens_the_claims_at_once() {
            given(active())
                    .at(START)
                    .when(new EndLease(LEASE, EndCause.REQUESTED))
                    .expectEvents(new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(TENURE)));
            assertThat(calendar.requests().getLast()).isEqualTo(new Shorten(LEASE, START));
        }

        @Test
        void a_lease_that_misses_the_window_ends_as_missed() {
            given(pending())
                    .at(END)
                    .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                    .expectEvents(
                            new LeaseEnding(LEASE, EndCause.MISSED, List.of()),
                            new ReservationReleased(LEASE, RESERVATION),
                            new LeaseEnded(LEASE, EndCause.MISSED));
        }

        @Test
        void a_failed_lease_ends_at_the_end_date() {
            given(with(starting(), failed(Action.START, "no such host")))
                    .at(END)
                    .when(new EndLease(LEASE, EndCause.WINDOW_OVER))
                    .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
        }

        @Test
        void a_confirmed_release_ends_the_lease() {
            given(ending())
                    .at(END)
                    .when(new ConfirmRelease(LEASE, TENURE))
                    .expectEvents(
                            new ReservationReleased(LEASE, RESERVATION),
                            new LeaseEnded(LEASE, EndCause.WINDOW_OVER));
        }

        @Test
        void a_repeated_confirmation_of_a_release_has_no_effect() {
            given(ended()).at(END).when(new ConfirmRelease(LEASE, TENURE)).nothing();
        }

        @Test
        void a_retry_repeats_a_failed_end() {
            given(with(ending(), failed(Action.END, "locked")))
                    .at(END)
                    .when(new RetryLease(LEASE))
                    .expectEvents(new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
        }

        @Test
        void a_forced_end_completes_a_failed_end() {
            given(with(ending(), failed(Action.END, "locked")))
                    .at(END)
                    .when(new ForceEnd(LEASE))
                    .expectEvents(
                            new ReservationReleased(LEASE, RESERVATION),
                            new LeaseEnded(LEASE, EndCause.FORCED));
        }
    }

    @Nested
    class When_it_is_deleted {

        @Test
        void a_deletion_of_a_pending_lease_completes_at_once() {
            given(pending())
                    .when(new DeleteLease(LEASE))
                    .expectEvents(
                            new LeaseEnding(LEASE, EndCause.DELETED, List.of()),
                            new ReservationReleased(LEASE, RESERVATION),
                            new LeaseEnded(LEASE, EndCause.DELETED),
                            new LeaseDeleted(LEASE));
        }

        @Test
        void a_deletion_of_a_started_lease_requires_a_release_first() {
            for (List<LeaseEvent> state : List.of(starting(), active(), ending())) {
                prepare();
                given(state)
                        .at(START)
                        .when(new DeleteLease(LEASE))
                        .expectEvents(new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE)));
            }
        }

        @Test
        void a_confirmed_release_completes_a_deletion() {
            given(with(active(), new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE))))
                    .at(START)
                    .when(new ConfirmRelease(LEASE, TENURE))
                    .expectEvents(
                            new ReservationReleased(LEASE, RESERVATION),
                            new LeaseEnded(LEASE, EndCause.DELETED),
                            new LeaseDeleted(LEASE));
        }

        @Test
        void an_ended_lease_is_deleted_at_once() {
            given(ended())
                    .at(END)
                    .when(new DeleteLease(LEASE))
                    .expectEvents(new LeaseDeleted(LEASE));
        }

        @Test
        void a_deleted_lease_is_not_found() {
            given(with(ended(), new LeaseDeleted(LEASE)))
                    .at(END)
                    .when(rename("weekly"))
                    .rejected(new LeaseNotFound(LEASE));
        }

        @Test
        void a_refused_lease_is_not_found() {
            given(
                            new LeaseRefused(
                                    LEASE, PROJECT, USER, "x", PERIOD, null, List.of(), List.of(),
                                    1))
                    .when(new DeleteLease(LEASE))
                    .rejected(new LeaseNotFound(LEASE));
        }
    }

    // The vocabulary of the rules above.

    private static CreateLease create(int min, int max) {
        return create(List.of(wish(min, max)), START, END, WARNING);
    }

    private static CreateLease create(
            List<ReservationWish> wishes, Instant start, Instant end, @Nullable Instant beforeEnd) {
        return new CreateLease(LEASE, PROJECT, USER, "nightly", start, end, beforeEnd, wishes);
    }

    private static ChangeLease rename(String name) {
        return new ChangeLease(LEASE, name, null, null, null, List.of());
    }

    private static ChangeLease change(
            @Nullable Instant start, @Nullable Instant end, @Nullable Instant beforeEnd) {
        return new ChangeLease(LEASE, null, start, end, beforeEnd, List.of());
    }

    private static ChangeLease resize(int min, int max) {
        return new ChangeLease(
                LEASE,
                null,
                null,
                null,
                null,
                List.of(new ReservationChange(RESERVATION, Map.of("min", min, "max", max))));
    }

    private static ReservationWish wish(int min, int max) {
        return new ReservationWish(
                RESERVATION, ResourceKind.PHYSICAL_HOST, HostOnlyPlugins.parameters(min, max));
    }

    private static LeaseEvent requested(ReservationWish wish) {
        return new LeaseRequested(LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, List.of(wish));
    }

    private static LeaseEvent changed(int min, int max) {
        return new ReservationChanged(
                LEASE, RESERVATION, new LinkedHashMap<>(HostOnlyPlugins.parameters(min, max)));
    }

    private static LeaseEvent granted(LeasePeriod period, int hosts) {
        List<org.leasehold.lease.Allocation> allocations = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            allocations.add(allocation(host));
        }
        return new ReservationGranted(LEASE, RESERVATION, period, Duration.ZERO, allocations);
    }

    private static LeaseEvent failed(Action action, String message) {
        return new ReservationFailed(
                LEASE, RESERVATION, action, new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, message));
    }

    private static List<LeaseEvent> pending() {
        return List.of(requested(wish(1, 1)), granted(PERIOD, 1));
    }

    private static List<LeaseEvent> delayed() {
        return with(
                pending(), new LeaseDelayed(LEASE, List.of(OTHER_LEASES), "compute-1 is in use"));
    }

    private static List<LeaseEvent> starting() {
        return with(pending(), new LeaseStarting(LEASE, List.of(TENURE)));
    }

    private static List<LeaseEvent> active() {
        return active(1);
    }

    private static List<LeaseEvent> active(int hosts) {
        return List.of(
                requested(wish(hosts, hosts)),
                granted(PERIOD, hosts),
                new LeaseStarting(LEASE, List.of(TENURE)),
                new ReservationActivated(LEASE, RESERVATION),
                new LeaseActivated(LEASE));
    }

    private static List<LeaseEvent> ending() {
        return with(active(), new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
    }

    private static List<LeaseEvent> ended() {
        return with(
                ending(),
                new ReservationReleased(LEASE, RESERVATION),
                new LeaseEnded(LEASE, EndCause.WINDOW_OVER));
    }

    private static List<LeaseEvent> with(List<LeaseEvent> history, LeaseEvent... more) {
        List<LeaseEvent> all = new ArrayList<>(history);
        all.addAll(List.of(more));
        return all;
    }

    private Given given(LeaseEvent... history) {
        return given(List.of(history));
    }

    private Given given(List<LeaseEvent> history) {
        return new Given(history, NOW);
    }

    private final class Given {

        private final List<LeaseEvent> history;
        private final Instant now;

        Given(List<LeaseEvent> history, Instant now) {
            this.history = history;
            this.now = now;
        }

        Given at(Instant instant) {
            return new Given(history, instant);
        }

        Then when(LeaseCommand command) {
            return when(command, Map.of("now", now));
        }

        /** Sends a command of a caller who accepts only these versions. */
        Then when(LeaseCommand command, Set<Long> expectedVersions) {
            return when(command, Map.of("now", now, "expectedVersions", expectedVersions));
        }

        private Then when(LeaseCommand command, Map<String, Object> metadata) {
            return new Then(
                    fixture.given(history)
                            .when(
                                    new GenericCommandMessage<>(
                                            new GenericMessage<>(command, metadata),
                                            LeaseCommand.class.getName())));
        }
    }

    private record Then(ResultValidator<LeaseAggregate> result) {

        void expectEvents(LeaseEvent... events) {
            result.expectEvents((Object[]) events);
        }

        Then refused() {
            result.expectResultMessagePayload(
                    new Outcome.Refused<LeaseRejection>(List.of(SHORTAGE), 0));
            return this;
        }

        void nothing() {
            result.expectNoEvents()
                    .expectResultMessagePayload(new Outcome.Accepted<LeaseRejection>(0));
        }

        void rejected(LeaseRejection rejection) {
            result.expectNoEvents().expectResultMessagePayload(new Outcome.Rejected<>(rejection));
        }
    }
}
