package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.Samples;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The rules for preparations, which may act until the start of the lease is due. */
abstract class TaskPreparationContract extends TaskCallContract {

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
}
