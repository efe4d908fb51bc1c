package org.leasehold.runtime.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.CloudCheck.FoundService;
import org.leasehold.resource.CloudCheck.Misconfigured;
import org.leasehold.resource.CloudCheck.Passed;
import org.leasehold.resource.CloudCheck.Unanswered;
import org.leasehold.runtime.Await;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.FixedBackOff;

import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Tests the readiness for each state of the cloud, and the number of checks. */
@Isolated("reads what this process prints")
@ExtendWith(OutputCaptureExtension.class)
class CloudHealthTest {

    private static final Passed PASSED =
            new Passed(
                    new TreeMap<>(
                            Map.of(
                                    "compute",
                                    new FoundService("http://nova", "microversions 2.1 to 2.100"),
                                    "network",
                                    new FoundService("http://neutron", ""))),
                    List.of("Set the zone"));
    private static final Misconfigured WRONG =
            new Misconfigured(
                    "Correct leasehold.openstack.user", "Keystone answered 401 to leasehold");
    private static final Unanswered AWAY = new Unanswered("Keystone does not answer", "timed out");

    @Test
    void a_cloud_that_matches_the_settings_is_up_after_one_check(CapturedOutput output) {
        Answers hosts = new Answers(PASSED);
        CloudHealth health = new CloudHealth(Map.of("physical:host", hosts), forbidden());

        run(health);

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(output.getAll())
                .contains("compute=http://nova (microversions 2.1 to 2.100)")
                .contains("network=http://neutron}")
                .containsOnlyOnce(
                        "INFO  CloudHealth Check the cloud's configuration. Set the zone");
    }

    @Test
    void a_passed_check_shows_microversions_without_addresses() {
        CloudHealth health =
                new CloudHealth(Map.of("physical:host", new Answers(PASSED)), forbidden());

        run(health);

        assertThat(health.health().getStatus().getDescription())
                .isEqualTo("compute has microversions 2.1 to 2.100");
        assertThat(health.health().getDetails()).isEmpty();
    }

    @Test
    void mismatched_settings_are_down_and_show_the_reason_without_the_cause(CapturedOutput output)
            throws InterruptedException {
        Answers hosts = new Answers(WRONG, WRONG, PASSED);
        Pauses pauses = new Pauses();
        CloudHealth health =
                new CloudHealth(Map.of("a", hosts, "b", new Answers(WRONG, AWAY, PASSED)), pauses);
        health.start();

        pauses.awaitOne();
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getStatus().getDescription()).isEqualTo(WRONG.reason());
        assertThat(health.health().getDetails()).isEmpty();
        assertThat(output.getAll())
                .containsOnlyOnce(WRONG.reason())
                .containsOnlyOnce(WRONG.cause())
                .contains("[a, b]");

        pauses.endOne();
        pauses.awaitOne();
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(output.getAll()).containsOnlyOnce(WRONG.reason());

        pauses.endOne();
        Await.until("it is up", () -> health.health().getStatus().equals(Status.UP));
        Await.until("it is over", () -> !health.isRunning());
    }

    @Test
    void an_unreachable_cloud_has_status_unknown_until_a_check_succeeds()
            throws InterruptedException {
        Pauses pauses = new Pauses();
        CloudHealth health = new CloudHealth(Map.of("a", new Answers(AWAY, PASSED)), pauses);
        health.start();

        pauses.awaitOne();
        assertThat(health.health().getStatus().getCode()).isEqualTo("UNKNOWN");
        assertThat(health.health().getStatus().getDescription()).isEqualTo(AWAY.reason());

        pauses.endOne();
        Await.until("it is up", () -> health.health().getStatus().equals(Status.UP));
    }

    @Test
    void a_hanging_check_does_not_delay_start_or_stop() throws InterruptedException {
        Hanging hanging = new Hanging();
        AtomicLong time = new AtomicLong(Long.MAX_VALUE);
        CloudHealth health = new CloudHealth(Map.of("a", hanging), forbidden(), time::get);
        health.start();
        hanging.asked.await();

        time.addAndGet(CloudHealth.FIRST_CHECK_TIMEOUT.toNanos());
        assertThat(health.health().getStatus().getCode()).isEqualTo("UNKNOWN");

        health.stop();
        Await.until("it has stopped", () -> !health.isRunning());
    }

    @Test
    void a_node_is_out_of_service_until_the_first_checks_have_results()
            throws InterruptedException {
        Hanging hanging = new Hanging();
        AtomicLong time = new AtomicLong(Long.MAX_VALUE);
        CloudHealth health =
                new CloudHealth(
                        Map.of("a", new Answers(PASSED), "b", hanging),
                        new FixedBackOff(1, Long.MAX_VALUE),
                        time::get);
        assertThat(health.health().getStatus().getCode()).isEqualTo("OUT_OF_SERVICE");
        health.start();
        hanging.asked.await();

        time.addAndGet(CloudHealth.FIRST_CHECK_TIMEOUT.toNanos() - 1);
        assertThat(health.health().getStatus().getCode()).isEqualTo("OUT_OF_SERVICE");
        assertThat(health.health().getStatus().getDescription()).contains("is being checked");

        hanging.end.release();
        Await.until("it says why", () -> health.health().getStatus().getCode().equals("UNKNOWN"));
        assertThat(health.health().getStatus().getDescription()).isEqualTo(AWAY.reason());
        health.stop();
        Await.until("it has stopped", () -> !health.isRunning());
    }

    @Test
    void mismatched_settings_are_down_while_another_check_hangs() throws InterruptedException {
        Hanging hanging = new Hanging();
        CloudHealth health =
                new CloudHealth(Map.of("a", new Answers(WRONG), "b", hanging), forbidden());
        health.start();
        hanging.asked.await();

        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);

        health.stop();
        Await.until("it has stopped", () -> !health.isRunning());
    }

    @Test
    void a_check_that_throws_is_retried() {
        CloudHealth health =
                new CloudHealth(
                        Map.of(
                                "a",
                                new Answers(AWAY, PASSED) {
                                    @Override
                                    public CloudCheck get() {
                                        if (super.get() instanceof Unanswered) {
                                            throw new IllegalStateException("broken");
                                        }
                                        return PASSED;
                                    }
                                }),
                        new FixedBackOff(1, Long.MAX_VALUE));

        run(health);

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void an_engine_without_a_cloud_is_up() {
        assertThat(new CloudHealth(Map.of(), forbidden()).health().getStatus())
                .isEqualTo(Status.UP);
    }

    private static void run(CloudHealth health) {
        health.start();
        Await.until("all checks have passed", () -> !health.isRunning());
    }

    private static BackOff forbidden() {
        return () ->
                () -> {
                    throw new AssertionError("nobody is to be asked again");
                };
    }

    /** Returns results one after the other; no further check is expected. */
    private static class Answers implements Supplier<CloudCheck> {

        private final Deque<CloudCheck> answers = new ConcurrentLinkedDeque<>();

        Answers(CloudCheck... answers) {
            this.answers.addAll(List.of(answers));
        }

        @Override
        public CloudCheck get() {
            return answers.remove();
        }
    }

    /** Reports an unreachable cloud, each time when the test permits it. */
    private static final class Hanging implements Supplier<CloudCheck> {

        private final CountDownLatch asked = new CountDownLatch(1);
        private final Semaphore end = new Semaphore(0);

        @Override
        public CloudCheck get() {
            asked.countDown();
            try {
                end.acquire();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return AWAY;
        }
    }

    /** Pauses that the test ends. */
    private static final class Pauses implements BackOff {

        private final Semaphore begun = new Semaphore(0);
        private final Semaphore ended = new Semaphore(0);

        @Override
        public BackOffExecution start() {
            return () -> {
                begun.release();
                ended.acquireUninterruptibly();
                return 1;
            };
        }

        void awaitOne() throws InterruptedException {
            begun.acquire();
        }

        void endOne() {
            ended.release();
        }
    }
}
