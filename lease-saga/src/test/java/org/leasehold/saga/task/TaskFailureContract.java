package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.CurrentRequest;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.Samples;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The rules for tasks that fail: their retries, reports and faults. */
abstract class TaskFailureContract extends TaskPreparationContract {

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
}
