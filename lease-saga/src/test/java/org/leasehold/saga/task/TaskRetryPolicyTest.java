package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.TENURE;

import org.junit.jupiter.api.Test;
import org.leasehold.history.Backoff;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.saga.task.TaskRetryPolicy.Advice;

import java.time.Duration;
import java.util.List;

class TaskRetryPolicyTest {

    private static final PluginTask START = new PluginTask.Start(LEASE, TENURE);
    private static final PluginTask END = new PluginTask.End(LEASE, TENURE);
    private static final PluginTask BEFORE_END = new PluginTask.BeforeEnd(LEASE, RESERVATION);
    private static final PluginTask PREPARE = new PluginTask.Prepare(LEASE, RESERVATION);
    private static final PluginTask RETIRE =
            new PluginTask.Retire(new ResourceId(1), ResourceKind.PHYSICAL_HOST, "node1");

    private final TaskRetryPolicy patience =
            new TaskRetryPolicy(Duration.ofMinutes(5), Backoff.DEFAULT);

    @Test
    void a_start_is_retried_until_the_limit_and_then_reported() {
        assertThat(after(START, Fault.Kind.RETRYABLE, Duration.ofMinutes(4)))
                .isInstanceOf(Advice.Retry.class);
        assertThat(after(START, Fault.Kind.RETRYABLE, Duration.ofMinutes(5)))
                .isEqualTo(new Advice.Report());
    }

    @Test
    void the_last_retry_of_a_start_is_at_the_limit() {
        Duration almost = Duration.ofMinutes(5).minusSeconds(1);

        assertThat(
                        patience.decide(
                                START,
                                new Fault(Fault.Kind.RETRYABLE, "no answer"),
                                7,
                                NOON,
                                NOON.plus(almost)))
                .isEqualTo(new Advice.Retry(NOON.plus(Duration.ofMinutes(5))));
    }

    @Test
    void an_end_is_retried_without_limit_unless_the_cloud_denies_it() {
        assertThat(after(END, Fault.Kind.RETRYABLE, Duration.ofDays(30)))
                .isInstanceOf(Advice.Retry.class);
        assertThat(after(END, Fault.Kind.DENIED, Duration.ZERO)).isEqualTo(new Advice.Report());
    }

    @Test
    void a_lasting_fault_of_a_start_is_reported_at_once() {
        for (Fault.Kind kind :
                List.of(
                        Fault.Kind.INSUFFICIENT_RESOURCES,
                        Fault.Kind.DENIED,
                        Fault.Kind.PERMANENT)) {
            assertThat(after(START, kind, Duration.ZERO)).isEqualTo(new Advice.Report());
        }
    }

    @Test
    void a_failed_task_before_a_start_or_end_is_dropped_without_a_report() {
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
    void a_retirement_is_retried_after_a_permanent_fault() {
        assertThat(after(RETIRE, Fault.Kind.PERMANENT, Duration.ofDays(30)))
                .isInstanceOf(Advice.Retry.class);
    }

    private Advice after(PluginTask task, Fault.Kind kind, Duration failing) {
        return patience.decide(task, new Fault(kind, "no"), 3, NOON, NOON.plus(failing));
    }
}
