package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.ResourceMove;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.TrustId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The rules for the calls of plug-ins: which calls a task makes, when and in which order. */
abstract class TaskCallContract extends TaskQueueFixture {

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
    void an_adjustment_has_the_moves_to_resources_that_the_reservation_has() {
        Allocation left = new Allocation(new ResourceId(98), "left", Map.of());
        ResourceId gone = new ResourceId(99);
        submit(
                new PluginTask.Adjust(
                        LEASE,
                        TENURE,
                        List.of(left),
                        List.of(
                                new ResourceMove(left.resource(), NODE_1.resource()),
                                new ResourceMove(left.resource(), gone))));

        runUntil("confirmed", () -> sent().contains(new ConfirmAdjustment(LEASE, TENURE)));

        assertThat(plugins.calls())
                .containsExactly("move %s from [left] to [node1]".formatted(RESERVATION));
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
    void a_retirement_is_skipped_if_the_name_is_enrolled_again() {
        submit(new PluginTask.Retire(new ResourceId(2), ResourceKind.PHYSICAL_HOST, "node2"));
        runUntil("retired", () -> plugins.calls().contains("retire node2"));

        world.enrol(new ResourceId(3), "node1");
        submit(new PluginTask.Retire(new ResourceId(1), ResourceKind.PHYSICAL_HOST, "node1"));
        submit(new PluginTask.Enrol(new ResourceId(3), ResourceKind.PHYSICAL_HOST, "node1"));

        runUntil("enrolled", () -> plugins.calls().contains("enrol node1"));
        assertThat(plugins.calls()).containsExactly("retire node2", "enrol node1");
    }
}
