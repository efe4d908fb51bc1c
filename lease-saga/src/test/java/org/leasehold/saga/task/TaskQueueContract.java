package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Outcome;
import org.leasehold.command.TaskRetries;
import org.leasehold.history.Backoff;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.saga.Cause;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.timer.LatenessListener;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.TrustId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** The contract of {@link TaskQueue}. */
abstract class TaskQueueContract {

    private static final CommandContext OPERATOR =
            CommandContext.ofEngine(Samples.NOON, "req-operator", null);

    static final Duration LIMIT = Duration.ofMinutes(5);
    static final Duration HOUR = Duration.ofHours(1);
    static final PluginTask PREPARE = new PluginTask.Prepare(LEASE, RESERVATION);
    static final PluginTask START = new PluginTask.Start(LEASE, TENURE);
    static final PluginTask END = new PluginTask.End(LEASE, TENURE);
    static final Tenure RENEWED = new Tenure(RESERVATION, 6);

    final TestClock clock = new TestClock();
    final FakeCommands commands = new FakeCommands();
    final FakeReadModel world = new FakeReadModel();
    final FakePlugins plugins = new FakePlugins();
    volatile Optional<KnownTrust> trusted = Optional.empty();
    final List<Duration> readyAfter = new CopyOnWriteArrayList<>();
    final List<CloudCall> called = new CopyOnWriteArrayList<>();

    final TaskRunner run =
            new TaskRunner(
                    new TaskRunner.World(world, world, world, plugins, lease -> trusted),
                    new PluginCallLimiter(2, Duration.ofSeconds(20)),
                    new TaskRetryPolicy(LIMIT, Backoff.DEFAULT),
                    new TaskReporter(
                            commands,
                            clock,
                            new LatenessListener() {
                                @Override
                                public void commandDecided(
                                        LeaseCommand command, Duration lateness) {}

                                @Override
                                public void reservationReady(Duration lateness) {
                                    readyAfter.add(lateness);
                                }
                            },
                            called::add),
                    new PluginOutages(clock, kind -> retryWaiting(kind)),
                    clock);

    abstract TaskQueue tasks();

    abstract StuckActionQuery stuck();

    abstract TaskRetries retries();

    List<StuckAction> stuckActions() {
        return stuck().actions(null, 10).items();
    }

    /** Retries the tasks now that wait for a plug-in. */
    abstract void retryWaiting(ResourceKind plugin);

    /** Runs tasks until a condition is true. */
    abstract void runUntil(String what, BooleanSupplier condition);

    @BeforeEach
    void leaseOfOneHost() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
    }

    @Test
    void a_successful_start_is_confirmed() {
        submit(START);

        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION);
        assertThat(commands.sent().getFirst().context().causation()).isEqualTo("event-1");
        assertThat(readyAfter).hasSize(1);
    }

    @Test
    void an_action_under_way_is_polled_until_it_succeeds_or_fails() {
        AtomicInteger looks = new AtomicInteger();
        plugins.answer(
                _ ->
                        switch (looks.incrementAndGet()) {
                            case 1, 2, 3 ->
                                    FakePlugins.failed(Fault.Kind.UNDERWAY, "it is being made");
                            case 4 -> FakePlugins.failed(Fault.Kind.RETRYABLE, "No valid host");
                            default -> new Result.Done(Map.of("id", "x"));
                        });
        submit(new PluginTask.Adjust(LEASE, TENURE, List.of()));

        for (int look = 1; look <= 4; look++) {
            int times = look;
            runUntil("it is looked at", () -> looks.get() >= times);
            clock.putForward(look < 4 ? LIMIT : Duration.ofSeconds(30));
        }
        runUntil(
                "it is done",
                () -> sent().contains(new ConfirmAdjustment(LEASE, TENURE, Map.of("id", "x"))));
        assertThat(sent()).hasSize(1);
        assertThat(plugins.calls()).hasSize(5);
    }

    @Test
    void a_plugin_sees_other_holders_with_the_same_parameter_value() {
        LeaseId lease = Samples.lease(2);
        ReservationId other = Samples.reservation(21);
        world.put(Samples.view(lease, PERIOD, other));
        world.holds(RESERVATION, LEASE);
        submit(END);
        runUntil("it is ended", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));

        assertThat(plugins.othersWishing("min", 1)).isEmpty();
        world.holds(other, lease);
        assertThat(plugins.othersWishing("min", 1))
                .extracting(Acting.Other::reservation)
                .containsExactly(other);
        assertThat(plugins.othersWishing("min", 2)).isEmpty();
    }

    @Test
    void a_task_that_is_submitted_twice_runs_once() {
        submit(START);
        submit(START);
        submit(END);
        submit(END);

        runUntil("confirmed", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls()).containsExactly("end " + RESERVATION);
    }

    @Test
    void actions_of_a_reservation_run_in_the_order_of_submission() {
        submit(START);
        submit(new PluginTask.Adjust(LEASE, TENURE, List.of(NODE_1)));
        submit(new PluginTask.BeforeEnd(LEASE, RESERVATION));

        runUntil("all are done", () -> plugins.calls().size() == 3);

        assertThat(plugins.calls())
                .containsExactly(
                        "start " + RESERVATION,
                        "adjust " + RESERVATION + " leaving [node1]",
                        "before end " + RESERVATION);
        runUntil("confirmed", () -> sent().contains(new ConfirmAdjustment(LEASE, TENURE)));
    }

    @Test
    void an_unannounced_end_runs_the_action_before_the_end_first() {
        world.put(ending(ScheduledEventView.Status.UNDONE));
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "no image yet"));
        submit(END);
        runUntil("it failed", () -> !stuckActions().isEmpty());

        plugins.answer(_ -> new Result.Done());
        clock.putForward(Duration.ofMinutes(1));

        runUntil("confirmed", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls())
                .containsExactly(
                        "before end " + RESERVATION,
                        "before end " + RESERVATION,
                        "end " + RESERVATION);
    }

    @Test
    void an_end_waits_for_a_failing_action_before_it_until_a_limit() {
        world.put(ending(ScheduledEventView.Status.UNDONE));
        plugins.answer(
                call ->
                        call.startsWith("before end")
                                ? FakePlugins.failed(Fault.Kind.RETRYABLE, "glance is away")
                                : new Result.Done());
        submit(END);
        runUntil("it failed", () -> !stuckActions().isEmpty());

        clock.putForward(LIMIT);

        runUntil("confirmed", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls())
                .containsExactly(
                        "before end " + RESERVATION,
                        "before end " + RESERVATION,
                        "end " + RESERVATION);
    }

    @Test
    void an_announced_end_skips_the_action_before_the_end() {
        world.put(ending(ScheduledEventView.Status.DONE));
        submit(END);

        runUntil("confirmed", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls()).containsExactly("end " + RESERVATION);
    }

    /** Returns a lease whose end had to be announced a minute ago. */
    private LeaseView ending(ScheduledEventView.Status announcement) {
        Instant due = clock.instant().minus(Duration.ofMinutes(1));
        LeaseView active = Samples.view(LEASE, PERIOD, RESERVATION);
        return new LeaseView(
                LEASE,
                active.projectId(),
                active.userId(),
                active.name(),
                LeaseStatus.ENDING,
                PERIOD,
                due,
                null,
                active.reservations(),
                List.of(
                        new ScheduledEventView(
                                new UUID(0, 1),
                                ScheduledEventView.Type.BEFORE_END_LEASE,
                                due,
                                announcement,
                                PERIOD.start(),
                                null)),
                PERIOD.start(),
                null,
                1,
                null,
                null);
    }

    @Test
    void a_preparation_may_act_until_the_start_is_due() {
        world.put(Samples.view(LEASE, later(), RESERVATION));
        List<Boolean> mayAct = new CopyOnWriteArrayList<>();
        plugins.answer(
                _ -> {
                    mayAct.add(plugins.mayAct());
                    clock.putForward(HOUR);
                    mayAct.add(plugins.mayAct());
                    return new Result.Done();
                });
        submit(PREPARE);

        runUntil("prepared", () -> mayAct.size() == 2);
        assertThat(plugins.calls()).containsExactly("prepare " + RESERVATION);
        assertThat(mayAct).containsExactly(true, false);
        assertThat(sent()).isEmpty();
    }

    @Test
    void a_preparation_stops_if_the_lease_starts_sooner_or_is_deleted() {
        world.put(Samples.view(LEASE, later(), RESERVATION));
        List<Boolean> mayAct = new CopyOnWriteArrayList<>();
        plugins.answer(
                _ -> {
                    mayAct.add(plugins.mayAct());
                    world.put(Samples.view(LEASE, in(Duration.ofMinutes(1)), RESERVATION));
                    mayAct.add(plugins.mayAct());
                    world.forget(LEASE);
                    mayAct.add(plugins.mayAct());
                    return new Result.Done();
                });
        submit(PREPARE);

        runUntil("prepared", () -> mayAct.size() == 3);
        assertThat(mayAct).containsExactly(true, false, false);
    }

    @Test
    void a_preparation_is_skipped_shortly_before_the_start() {
        world.put(Samples.view(LEASE, in(Duration.ofMinutes(4)), RESERVATION));
        submit(PREPARE);
        submit(new PluginTask.BeforeEnd(LEASE, RESERVATION));

        runUntil("what came after it is done", () -> !plugins.calls().isEmpty());
        assertThat(plugins.calls()).containsExactly("before end " + RESERVATION);
    }

    @Test
    void a_start_replaces_a_failed_preparation() {
        plugins.answer(
                call ->
                        call.startsWith("prepare")
                                ? FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away")
                                : new Result.Done());
        world.put(Samples.view(LEASE, later(), RESERVATION));
        submit(PREPARE);
        runUntil("it failed", () -> !stuckActions().isEmpty());

        submit(START);

        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));
        runUntil("not stuck", () -> stuckActions().isEmpty());
        assertThat(plugins.calls())
                .containsExactly("prepare " + RESERVATION, "start " + RESERVATION);
    }

    @Test
    void a_task_of_an_ended_tenure_is_skipped() {
        world.end(TENURE);
        submit(START);
        submit(new PluginTask.Adjust(LEASE, RENEWED, List.of()));

        runUntil("adjusted", () -> sent().contains(new ConfirmAdjustment(LEASE, RENEWED)));
        assertThat(plugins.calls()).containsExactly("adjust " + RESERVATION + " leaving []");
    }

    @Test
    void a_start_of_a_deleted_lease_is_skipped() {
        world.forget(LEASE);
        world.end(TENURE);
        world.put(Samples.view(Samples.lease(2), PERIOD, Samples.reservation(21)));
        submit(START);
        submit(new PluginTask.Start(Samples.lease(2), new Tenure(Samples.reservation(21), 7)));

        runUntil("the other is started", () -> sent().size() == 1);
        assertThat(plugins.calls()).containsExactly("start " + Samples.reservation(21));
    }

    @Test
    void a_start_as_a_user_waits_for_an_expected_trust() {
        TrustId trust = new TrustId("trust-1");
        trusted = Optional.of(new KnownTrust(LEASE, null, clock.instant()));
        plugins.actAsUsers();
        submit(START);
        world.put(Samples.view(Samples.lease(2), PERIOD, Samples.reservation(21)));
        submit(new PluginTask.End(Samples.lease(2), new Tenure(Samples.reservation(21), 7)));
        runUntil("an end is done, which needs none", () -> sent().size() == 1);

        assertThat(plugins.calls()).containsExactly("end " + Samples.reservation(21));
        trusted = Optional.of(new KnownTrust(LEASE, trust, clock.instant()));
        clock.putForward(Duration.ofSeconds(1));

        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));
        assertThat(plugins.trust()).isEqualTo(trust);
    }

    @Test
    void an_end_uses_the_trust_of_the_lease() {
        TrustId trust = new TrustId("trust-1");
        trusted = Optional.of(new KnownTrust(LEASE, trust, clock.instant()));
        plugins.actAsUsers();
        submit(END);

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.trust()).isEqualTo(trust);
    }

    @Test
    void a_plugin_sees_the_parameters_of_other_current_holders() {
        ReservationId other = Samples.reservation(21);
        world.put(Samples.view(Samples.lease(2), PERIOD, other));
        submit(END);
        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));

        assertThat(plugins.wishOf(other)).isEmpty();
        world.holds(other, Samples.lease(2));
        assertThat(plugins.wishOf(other)).contains(Map.of("min", 1));
        assertThat(plugins.wishOf(Samples.reservation(22))).isEmpty();
    }

    @Test
    void a_start_proceeds_without_a_trust_after_30_seconds() {
        trusted = Optional.of(new KnownTrust(LEASE, null, clock.instant()));
        plugins.actAsUsers();
        submit(START);
        clock.putForward(Duration.ofSeconds(30));

        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));
        assertThat(plugins.trust()).isNull();
    }

    @Test
    void an_end_of_an_unknown_lease_is_retried() {
        world.forget(LEASE);
        submit(END);
        runUntil("it failed", () -> !stuckActions().isEmpty());

        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
        clock.putForward(Duration.ofMinutes(1));

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
    }

    @Test
    void a_failed_task_is_retried_and_is_stuck_meanwhile() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        submit(START);
        runUntil("it failed", () -> !stuckActions().isEmpty());

        StuckAction stuck = stuckActions().getFirst();
        assertThat(stuck.target())
                .isEqualTo(new Target.Reservation(LEASE, RESERVATION, Action.START));
        assertThat(stuck.attempts()).isEqualTo(1);
        assertThat(stuck.lastFault()).isEqualTo("nova is away");
        assertThat(stuck.nextAttempt()).isAfter(stuck.since());

        plugins.answer(_ -> new Result.Done());
        clock.putForward(Duration.ofMinutes(1));

        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));
        runUntil("not stuck", () -> stuckActions().isEmpty());
        assertThat(plugins.calls()).hasSize(2);
    }

    @Test
    void a_plugin_knows_the_request_id_and_finished_calls_are_recorded() {
        List<String> requests = new CopyOnWriteArrayList<>();
        plugins.answer(
                _ -> {
                    requests.add(CurrentRequest.id().orElse("none"));
                    return switch (requests.size()) {
                        case 1 -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away");
                        case 2 -> FakePlugins.failed(Fault.Kind.UNDERWAY, "it is being made");
                        default -> new Result.Done();
                    };
                });
        Instant began = clock.instant();
        submit(START);
        runUntil("it failed", () -> requests.size() == 1 && !stuckActions().isEmpty());
        clock.putForward(Duration.ofMinutes(1));
        runUntil("it is under way", () -> requests.size() == 2);
        clock.putForward(Duration.ofMinutes(1));
        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));

        assertThat(requests).containsOnly("req-1");
        Target start = new Target.Reservation(LEASE, RESERVATION, Action.START);
        Fault away = new Fault(Fault.Kind.RETRYABLE, "nova is away");
        assertThat(called)
                .extracting(
                        CloudCall::target,
                        CloudCall::attempt,
                        CloudCall::fault,
                        CloudCall::requestId,
                        CloudCall::causation)
                .containsExactly(
                        tuple(start, 1, away, "req-1", "event-1"),
                        tuple(start, 2, null, "req-1", "event-1"));
        assertThat(called)
                .allSatisfy(call -> assertThat(call.began()).isBetween(began, call.ended()));
    }

    @Test
    void an_exception_of_a_plugin_causes_a_retry() {
        plugins.answer(
                _ -> {
                    throw new IllegalStateException("a bug");
                });
        submit(START);

        runUntil("it failed", () -> !stuckActions().isEmpty());
        assertThat(stuckActions().getFirst().lastFault()).contains("a bug");
        assertThat(stuckActions().getFirst().nextAttempt()).isNotNull();
    }

    @Test
    void a_start_is_retried_after_a_slow_first_attempt() {
        plugins.answer(
                _ -> {
                    clock.putForward(LIMIT);
                    return FakePlugins.failed(Fault.Kind.RETRYABLE, "nova timed out");
                });
        submit(START);

        runUntil("it failed", () -> !stuckActions().isEmpty());
        assertThat(stuckActions().getFirst().nextAttempt()).isNotNull();
        assertThat(sent()).isEmpty();
    }

    @Test
    void a_start_that_fails_for_too_long_is_reported() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        submit(START);
        runUntil("it failed", () -> !stuckActions().isEmpty());
        assertThat(sent()).isEmpty();

        clock.putForward(LIMIT);

        runUntil("reported", () -> !sent().isEmpty());
        assertThat(sent())
                .containsExactly(
                        new ReportFault(
                                LEASE,
                                TENURE,
                                Action.START,
                                new Fault(Fault.Kind.RETRYABLE, "nova is away")));
    }

    @Test
    void only_operators_see_the_details_of_a_fault() {
        String said = "The host is in use\nThe server of-project-b is on it";
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, said));
        submit(START);
        runUntil("given up", () -> !stuckActions().isEmpty());

        assertThat(sent())
                .containsExactly(
                        new ReportFault(
                                LEASE,
                                TENURE,
                                Action.START,
                                new Fault(Fault.Kind.DENIED, "The host is in use")));
        assertThat(stuckActions().getFirst().lastFault()).isEqualTo(said);
    }

    @Test
    void a_retry_under_a_new_tenure_revives_a_task_that_was_given_up() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("given up", () -> !stuckActions().isEmpty());
        assertThat(sent())
                .containsExactly(
                        new ReportFault(
                                LEASE,
                                TENURE,
                                Action.END,
                                new Fault(Fault.Kind.DENIED, "nova says no")));
        assertThat(stuckActions().getFirst().nextAttempt()).isNull();

        plugins.answer(_ -> new Result.Done());
        submit(new PluginTask.End(LEASE, RENEWED));

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, RENEWED)));
        runUntil("not stuck", () -> stuckActions().isEmpty());
    }

    @Test
    void a_retry_under_the_same_tenure_revives_a_task_that_was_given_up() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("given up", () -> !stuckActions().isEmpty());

        plugins.answer(_ -> new Result.Done());
        submit(END);

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        runUntil("not stuck", () -> stuckActions().isEmpty());
    }

    @Test
    void a_retry_that_arrives_while_a_task_is_given_up_is_executed() {
        AtomicBoolean denied = new AtomicBoolean(true);
        plugins.answer(
                _ ->
                        denied.get()
                                ? FakePlugins.failed(Fault.Kind.DENIED, "nova says no")
                                : new Result.Done());
        commands.answer(
                _ -> {
                    if (denied.getAndSet(false)) {
                        submit(END);
                    }
                    return new Outcome.Accepted<>(1);
                });
        submit(END);

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        assertThat(plugins.calls()).hasSize(2);
    }

    @Test
    void an_end_replaces_a_failed_start() {
        plugins.answer(
                call ->
                        call.startsWith("start")
                                ? FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away")
                                : new Result.Done());
        submit(START);
        runUntil("it failed", () -> !stuckActions().isEmpty());
        submit(END);
        clock.putForward(Duration.ofMinutes(1));

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        runUntil("not stuck", () -> stuckActions().isEmpty());
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION, "end " + RESERVATION);
    }

    @Test
    void a_withdrawal_removes_the_stuck_task_of_a_reservation() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("given up", () -> !stuckActions().isEmpty());

        runUntil(
                "withdrawn",
                () -> {
                    tasks().withdraw(RESERVATION);
                    return stuckActions().isEmpty();
                });
        assertThat(plugins.calls()).hasSize(1);
    }

    @Test
    void a_reservation_is_busy_until_the_task_is_done_or_given_up() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        assertThat(tasks().isBusy(RESERVATION)).isFalse();
        submit(START);
        runUntil("it failed", () -> !stuckActions().isEmpty());
        assertThat(tasks().isBusy(RESERVATION)).isTrue();

        plugins.answer(_ -> new Result.Done());
        tasks().retryNow();
        runUntil("it is done", () -> stuckActions().isEmpty());
        assertThat(tasks().isBusy(RESERVATION)).isFalse();

        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(END);
        runUntil("it is given up", () -> !stuckActions().isEmpty());
        assertThat(tasks().isBusy(RESERVATION)).isFalse();
    }

    @Test
    void a_task_of_a_disabled_plugin_is_stuck() {
        plugins.switchOff();
        submit(END);

        runUntil("it failed", () -> !stuckActions().isEmpty());
        assertThat(stuckActions().getFirst().lastFault()).contains("physical:host");
    }

    @Test
    void an_enrolment_is_retried_after_a_permanent_fault() {
        ResourceId id = new ResourceId(1);
        world.enrol(id, "node1");
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.PERMANENT, "nova says no"));
        submit(new PluginTask.Enrol(id, ResourceKind.PHYSICAL_HOST, "node1"));
        runUntil("it failed", () -> plugins.calls().size() == 1);

        plugins.answer(_ -> new Result.Done());
        clock.putForward(Duration.ofMinutes(5));

        runUntil("it was tried again", () -> plugins.calls().size() == 2);
        assertThat(plugins.calls()).containsExactly("enrol node1", "enrol node1");
        assertThat(sent()).isEmpty();
    }

    @Test
    void stuck_actions_are_listed_page_by_page() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        submit(START);
        for (int number = 1; number <= 3; number++) {
            world.enrol(new ResourceId(number), "node" + number);
            submit(
                    new PluginTask.Enrol(
                            new ResourceId(number), ResourceKind.PHYSICAL_HOST, "node" + number));
        }
        runUntil("all failed", () -> stuckActions().size() == 4);

        List<StuckAction> listed = new ArrayList<>();
        String marker = null;
        do {
            Page<StuckAction> page = stuck().actions(marker, 1);
            assertThat(page.items()).hasSize(1);
            listed.addAll(page.items());
            marker = page.next();
        } while (marker != null);

        assertThat(listed).isEqualTo(stuckActions()).doesNotHaveDuplicates();
        assertThatThrownBy(() -> stuck().actions("x", 1)).isInstanceOf(UnknownMarker.class);
    }

    @Test
    void a_failed_enrolment_is_stuck_until_an_operator_retries_it() {
        ResourceId id = new ResourceId(1);
        world.enrol(id, "node1");
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(new PluginTask.Enrol(id, ResourceKind.PHYSICAL_HOST, "node1"));
        runUntil("it failed", () -> !stuckActions().isEmpty());

        StuckAction stuck = stuckActions().getFirst();
        assertThat(stuck.target())
                .isEqualTo(
                        new Target.Resource(
                                id,
                                ResourceKind.PHYSICAL_HOST,
                                "node1",
                                StuckActionQuery.Change.ENROL));
        assertThat(stuck.lastFault()).isEqualTo("nova says no");
        assertThat(stuck.nextAttempt()).isAfter(stuck.since());

        plugins.answer(_ -> new Result.Done());
        assertThat(retries().retry(new ResourceId(2), OPERATOR)).isFalse();
        assertThat(retries().retry(id, OPERATOR)).isTrue();
        runUntil("enrolled", () -> stuckActions().isEmpty());
        assertThat(retries().retry(id, OPERATOR)).isFalse();
        assertThat(plugins.calls()).containsExactly("enrol node1", "enrol node1");
    }

    @Test
    void an_operator_can_retry_a_failed_start_at_once() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        submit(START);
        runUntil("failed", () -> !stuckActions().isEmpty());

        assertThat(stuck().retryingActions(List.of(Samples.lease(2)))).isEmpty();
        assertThat(stuck().retryingActions(List.of(Samples.lease(2), LEASE)))
                .extracting(StuckAction::lastFault)
                .containsExactly("nova is away");

        plugins.answer(_ -> new Result.Done());
        assertThat(retries().retry(Samples.lease(2), OPERATOR)).isFalse();
        assertThat(retries().retry(LEASE, OPERATOR)).isTrue();
        runUntil("the task is over", () -> stuckActions().isEmpty());

        assertThat(sent()).contains(new ConfirmStart(LEASE, TENURE));
        assertThat(retries().retry(LEASE, OPERATOR)).isFalse();
        assertThat(plugins.calls()).containsExactly("start " + RESERVATION, "start " + RESERVATION);
    }

    @Test
    void hastening_makes_a_failed_task_due_at_once() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "nova is away"));
        submit(START);
        runUntil("failed", () -> !stuckActions().isEmpty());

        plugins.answer(_ -> new Result.Done());
        tasks().retryNow();

        assertThat(stuckActions())
                .allSatisfy(
                        action ->
                                assertThat(action.nextAttempt())
                                        .isBeforeOrEqualTo(clock.instant()));
        runUntil("confirmed", () -> sent().contains(new ConfirmStart(LEASE, TENURE)));
    }

    @Test
    void all_tasks_of_a_plugin_are_retried_after_an_outage() {
        ReservationId other = Samples.reservation(21);
        world.put(Samples.view(Samples.lease(2), PERIOD, other));
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "neutron is away"));
        submit(END);
        submit(new PluginTask.End(Samples.lease(2), new Tenure(other, 7)));
        // The next pause is five minutes.
        failUntilAttempt(9);

        plugins.answer(_ -> new Result.Done());
        clock.putForward(PluginOutages.PROBE_INTERVAL);

        runUntil("released", () -> sent().contains(new ConfirmRelease(LEASE, TENURE)));
        runUntil(
                "released, too",
                () -> sent().contains(new ConfirmRelease(Samples.lease(2), new Tenure(other, 7))));
    }

    @Test
    void tasks_of_other_plugins_are_not_retried_with_them() {
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.RETRYABLE, "neutron is away"));
        submit(END);
        failUntilAttempt(9);
        Instant next = stuckActions().getFirst().nextAttempt();

        retryWaiting(new ResourceKind("network"));
        assertThat(stuckActions().getFirst().nextAttempt()).isEqualTo(next);
    }

    @Test
    void a_task_that_was_refused_keeps_the_pause() {
        ResourceId id = new ResourceId(1);
        world.enrol(id, "node1");
        plugins.answer(_ -> FakePlugins.failed(Fault.Kind.DENIED, "nova says no"));
        submit(new PluginTask.Enrol(id, ResourceKind.PHYSICAL_HOST, "node1"));
        failUntilAttempt(9);
        Instant next = stuckActions().getFirst().nextAttempt();
        assertThat(next).isAfter(clock.instant().plusSeconds(60));

        retryWaiting(ResourceKind.PHYSICAL_HOST);
        assertThat(stuckActions().getFirst().nextAttempt()).isEqualTo(next);
    }

    /** Runs all tasks until they have failed so often. */
    private void failUntilAttempt(int last) {
        for (int attempt = 1; attempt <= last; attempt++) {
            int attempts = attempt;
            runUntil("it failed", () -> hasFailed(attempts));
            if (attempt < last) {
                clock.putForward(Duration.ofMinutes(10));
            }
        }
    }

    private boolean hasFailed(int attempts) {
        return stuckActions().stream().allMatch(action -> action.attempts() == attempts)
                && !stuckActions().isEmpty();
    }

    @Test
    void a_retirement_is_skipped_if_the_name_is_enrolled_again() {
        submit(new PluginTask.Retire(new ResourceId(2), ResourceKind.PHYSICAL_HOST, "node2"));
        runUntil("retired", () -> plugins.calls().contains("retire node2"));

        world.enrol(new ResourceId(3), "node1");
        submit(new PluginTask.Retire(new ResourceId(1), ResourceKind.PHYSICAL_HOST, "node1"));
        submit(new PluginTask.Enrol(new ResourceId(3), ResourceKind.PHYSICAL_HOST, "node1"));

        runUntil("enrolled", () -> plugins.calls().contains("enrol node1"));
        assertThat(plugins.calls()).containsExactly("retire node2", "enrol node1");
    }

    void submit(PluginTask task) {
        tasks().submit(task, new Cause("event-1", "req-1", clock.instant()));
    }

    private LeasePeriod later() {
        return in(HOUR);
    }

    private LeasePeriod in(Duration time) {
        return new LeasePeriod(clock.instant().plus(time), clock.instant().plus(time).plus(HOUR));
    }

    List<LeaseCommand> sent() {
        return commands.commands();
    }
}
