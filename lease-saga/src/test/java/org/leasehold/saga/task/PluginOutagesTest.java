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

        assertThat(retried).isEmpty();
    }

    @Test
    void a_task_that_fails_while_others_succeed_retries_no_others() {
        for (int time = 0; time < 3; time++) {
            fail(NETWORK, Fault.Kind.RETRYABLE);
            succeed(NETWORK);
            clock.putForward(Duration.ofMinutes(1));
        }

        assertThat(retried).isEmpty();
    }

    @Test
    void a_refusal_neither_begins_nor_ends_an_outage() {
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
    void one_task_of_a_plugin_in_an_outage_is_retried_often() {
        fail(NETWORK, Fault.Kind.RETRYABLE);

        assertProbe(NETWORK, "a");
        assertNoProbe(NETWORK, "b");
        assertProbe(NETWORK, "a");
        assertNoProbe(STACK, "a");
    }

    @Test
    void a_probe_is_never_retried_later_than_planned() {
        fail(NETWORK, Fault.Kind.RETRYABLE);
        Instant planned = clock.instant().plusSeconds(1);

        assertThat(outages.retryTime(NETWORK, "a", planned)).isEqualTo(planned);
    }

    @Test
    void another_task_is_the_probe_if_the_first_one_is_gone() {
        fail(NETWORK, Fault.Kind.RETRYABLE);
        assertProbe(NETWORK, "a");
        clock.putForward(PluginOutages.PROBE_INTERVAL);
        assertNoProbe(NETWORK, "b");

        clock.putForward(PluginOutages.PROBE_INTERVAL);
        assertProbe(NETWORK, "b");
        assertNoProbe(NETWORK, "a");
    }

    private void assertProbe(ResourceKind kind, String task) {
        Instant planned = clock.instant().plus(Duration.ofMinutes(5));
        assertThat(outages.retryTime(kind, task, planned))
                .isBetween(clock.instant(), clock.instant().plus(PluginOutages.PROBE_INTERVAL));
    }

    private void assertNoProbe(ResourceKind kind, String task) {
        Instant planned = clock.instant().plus(Duration.ofMinutes(5));
        assertThat(outages.retryTime(kind, task, planned)).isEqualTo(planned);
    }

    private void fail(ResourceKind kind, Fault.Kind how) {
        outages.record(kind, FakePlugins.failed(how, "no answer"));
    }

    private void succeed(ResourceKind kind) {
        outages.record(kind, new Result.Done());
    }
}
