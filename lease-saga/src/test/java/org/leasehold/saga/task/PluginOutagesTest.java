package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.TestClock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class PluginOutagesTest {

    private static final ResourceKind NETWORK = new ResourceKind("network");
    private static final ResourceKind STACK = new ResourceKind("stack");

    private final TestClock clock = new TestClock();
    private final List<ResourceKind> retried = new ArrayList<>();
    private final PluginOutages outages = new PluginOutages(clock, retried::add);

    @Test
    void the_first_success_after_an_outage_retries_tasks_once() {
        fail(NETWORK, Fault.Kind.RETRYABLE);
        clock.putForward(PluginOutages.MIN_DURATION);
        fail(NETWORK, Fault.Kind.RETRYABLE);

        succeed(NETWORK);
        succeed(NETWORK);

        assertThat(retried).containsExactly(NETWORK);
    }

    @Test
    void a_success_retries_only_tasks_of_the_same_plugin() {
        fail(NETWORK, Fault.Kind.RETRYABLE);
        clock.putForward(PluginOutages.MIN_DURATION);

        succeed(STACK);

        assertThat(retried).doesNotContain(NETWORK);
    }

    @Test
    void a_task_that_fails_while_others_succeed_retries_no_others() {
        succeed(NETWORK);
        retried.clear();
        for (int time = 0; time < 3; time++) {
            fail(NETWORK, Fault.Kind.RETRYABLE);
            succeed(NETWORK);
            clock.putForward(Duration.ofMinutes(1));
        }

        assertThat(retried).isEmpty();
    }

    @Test
    void a_refusal_neither_begins_nor_ends_an_outage() {
        succeed(NETWORK);
        retried.clear();
        fail(NETWORK, Fault.Kind.DENIED);
        clock.putForward(PluginOutages.MIN_DURATION);
        succeed(NETWORK);
        assertThat(retried).isEmpty();

        fail(NETWORK, Fault.Kind.RETRYABLE);
        clock.putForward(PluginOutages.MIN_DURATION);
        fail(NETWORK, Fault.Kind.PERMANENT);
        assertThat(retried).isEmpty();

        succeed(NETWORK);
        assertThat(retried).containsExactly(NETWORK);
    }

    @Test
    void work_that_the_cloud_has_begun_ends_an_outage() {
        fail(STACK, Fault.Kind.RETRYABLE);
        clock.putForward(PluginOutages.MIN_DURATION);

        fail(STACK, Fault.Kind.UNDERWAY);

        assertThat(retried).containsExactly(STACK);
    }

    @Test
    void the_first_success_in_a_process_retries_tasks() {
        succeed(NETWORK);
        succeed(NETWORK);

        assertThat(retried).containsExactly(NETWORK);
    }

    @Test
    void a_failed_retry_of_the_tasks_is_repeated_after_the_next_success() {
        List<ResourceKind> tries = new ArrayList<>();
        PluginOutages failing =
                new PluginOutages(
                        clock,
                        kind -> {
                            tries.add(kind);
                            if (tries.size() == 1) {
                                throw new IllegalStateException("the database is away");
                            }
                        });

        failing.record(NETWORK, new Result.Done());
        failing.record(NETWORK, new Result.Done());
        failing.record(NETWORK, new Result.Done());

        assertThat(tries).containsExactly(NETWORK, NETWORK);
    }

    @Test
    void one_of_several_failing_tasks_is_retried_often() {
        outage("a");

        assertProbe("b");
        assertNoProbe(NETWORK, "c");
        assertRetriedAfter(PluginOutages.FIRST_TASK_INTERVAL, "a");
        assertProbe("b");
        assertNoProbe(STACK, "b");
    }

    @Test
    void a_task_that_fails_alone_is_retried_every_minute() {
        outage("a");
        assertRetriedAfter(PluginOutages.FIRST_TASK_INTERVAL, "a");
        clock.putForward(Duration.ofHours(1));

        assertRetriedAfter(PluginOutages.FIRST_TASK_INTERVAL, "a");
    }

    @Test
    void the_first_failed_task_after_a_restart_is_retried_every_minute() {
        fail(NETWORK, Fault.Kind.RETRYABLE);

        assertRetriedAfter(PluginOutages.FIRST_TASK_INTERVAL, "a");
    }

    @Test
    void tasks_that_fail_while_others_succeed_keep_the_pause() {
        succeed(NETWORK);
        for (int time = 0; time < 3; time++) {
            fail(NETWORK, Fault.Kind.RETRYABLE);
            assertNoProbe(NETWORK, "a");
            fail(NETWORK, Fault.Kind.RETRYABLE);
            assertNoProbe(NETWORK, "b");
            succeed(NETWORK);
            clock.putForward(Duration.ofMinutes(1));
        }
    }

    @Test
    void a_probe_is_never_retried_later_than_planned() {
        outage("a");
        Instant planned = clock.instant().plusSeconds(1);

        assertThat(outages.retryTime(NETWORK, "b", clock.instant(), planned)).isEqualTo(planned);
    }

    @Test
    void another_task_is_the_probe_if_the_first_one_is_gone() {
        outage("a");
        assertProbe("b");
        assertNoProbe(NETWORK, "c");

        clock.putForward(PluginOutages.PROBE_INTERVAL);
        assertProbe("c");
        assertNoProbe(NETWORK, "b");
    }

    @Test
    void a_call_that_began_in_an_outage_is_retried_at_once_after_the_end() {
        outage("a");
        Instant began = clock.instant();
        clock.putForward(Duration.ofSeconds(1));
        succeed(NETWORK);
        fail(NETWORK, Fault.Kind.RETRYABLE);
        succeed(NETWORK);

        Instant planned = clock.instant().plus(Duration.ofMinutes(5));
        assertThat(outages.retryTime(NETWORK, "b", began, planned))
                .isBetween(clock.instant(), clock.instant().plus(PluginOutages.SHORT_PAUSE));
        assertNoProbe(NETWORK, "b");
    }

    /** Begins an outage in which so far one task has failed. */
    private void outage(String task) {
        succeed(NETWORK);
        fail(NETWORK, Fault.Kind.RETRYABLE);
        assertNoProbe(NETWORK, task);
        clock.putForward(PluginOutages.MIN_DURATION);
    }

    private void assertProbe(String task) {
        assertRetriedAfter(PluginOutages.PROBE_INTERVAL, task);
    }

    private void assertRetriedAfter(Duration pause, String task) {
        Instant now = clock.instant();
        assertThat(outages.retryTime(NETWORK, task, now, now.plus(Duration.ofMinutes(5))))
                .isBetween(now.plus(pause), clock.instant().plus(pause));
    }

    private void assertNoProbe(ResourceKind kind, String task) {
        Instant planned = clock.instant().plus(Duration.ofMinutes(5));
        assertThat(outages.retryTime(kind, task, clock.instant(), planned)).isEqualTo(planned);
    }

    private void fail(ResourceKind kind, Fault.Kind how) {
        outages.record(kind, FakePlugins.failed(how, "no answer"));
    }

    private void succeed(ResourceKind kind) {
        outages.record(kind, new Result.Done());
    }
}
