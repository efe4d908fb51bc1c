package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.saga.scheduler.Backoff;
import org.leasehold.saga.task.Patience.Advice;

import java.time.Duration;
import java.util.List;

class PatienceTest {

    private static final PluginTask START = new PluginTask.Start(LEASE, TENURE);
    private static final PluginTask END = new PluginTask.End(LEASE, TENURE);
    private static final PluginTask BEFORE_END = new PluginTask.BeforeEnd(LEASE, RESERVATION);
    private static final PluginTask PREPARE = new PluginTask.Prepare(LEASE, RESERVATION);
    private static final PluginTask RETIRE =
            new PluginTask.Retire(new ResourceId(1), ResourceKind.PHYSICAL_HOST, "node1");

    private final Patience patience = new Patience(Duration.ofMinutes(5), Backoff.USUAL);

    @Test
    void a_start_is_retried_until_the_project_has_waited_long_enough() {
        assertThat(after(START, Fault.Kind.RETRYABLE, Duration.ofMinutes(4)))
                .isInstanceOf(Advice.Retry.class);
        assertThat(after(START, Fault.Kind.RETRYABLE, Duration.ofMinutes(5)))
                .isEqualTo(new Advice.Report());
    }

    @Test
    void the_last_try_of_a_start_comes_when_the_project_has_waited_long_enough() {
        Duration almost = Duration.ofMinutes(5).minusSeconds(1);

        assertThat(
                        patience.after(
                                START,
                                new Fault(Fault.Kind.RETRYABLE, "no answer"),
                                7,
                                NOON,
                                NOON.plus(almost)))
                .isEqualTo(new Advice.Retry(NOON.plus(Duration.ofMinutes(5))));
    }

    @Test
    void an_end_is_retried_for_ever_but_not_when_that_cannot_help() {
        assertThat(after(END, Fault.Kind.RETRYABLE, Duration.ofDays(30)))
                .isInstanceOf(Advice.Retry.class);
        assertThat(after(END, Fault.Kind.DENIED, Duration.ZERO)).isEqualTo(new Advice.Report());
    }

    @Test
    void a_fault_that_retrying_cannot_mend_is_reported_at_once() {
        for (Fault.Kind kind :
                List.of(
                        Fault.Kind.INSUFFICIENT_RESOURCES,
                        Fault.Kind.DENIED,
                        Fault.Kind.PERMANENT)) {
            assertThat(after(START, kind, Duration.ZERO)).isEqualTo(new Advice.Report());
        }
    }

    @Test
    void a_lease_does_not_fail_for_what_could_not_be_done_before_its_start_or_its_end() {
        for (PluginTask task : List.of(PREPARE, BEFORE_END)) {
            assertThat(after(task, Fault.Kind.RETRYABLE, Duration.ZERO))
                    .isInstanceOf(Advice.Retry.class);
            assertThat(after(task, Fault.Kind.RETRYABLE, Duration.ofMinutes(5)))
                    .isEqualTo(new Advice.Forget());
            assertThat(after(task, Fault.Kind.PERMANENT, Duration.ZERO))
                    .isEqualTo(new Advice.Forget());
        }
    }

    @Test
    void the_cloud_is_told_of_its_resources_whatever_it_says() {
        assertThat(after(RETIRE, Fault.Kind.PERMANENT, Duration.ofDays(30)))
                .isInstanceOf(Advice.Retry.class);
    }

    @Test
    void attempts_become_rarer_but_never_rarer_than_every_five_minutes() {
        assertThat(Backoff.USUAL.after(1, "a"))
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
        assertThat(Backoff.USUAL.after(5, "a"))
                .isBetween(Duration.ofMillis(14_400), Duration.ofSeconds(16));
        assertThat(Backoff.USUAL.after(1000, "a"))
                .isBetween(Duration.ofSeconds(270), Duration.ofMinutes(5));
    }

    private Advice after(PluginTask task, Fault.Kind kind, Duration failing) {
        return patience.after(task, new Fault(kind, "no"), 3, NOON, NOON.plus(failing));
    }
}
