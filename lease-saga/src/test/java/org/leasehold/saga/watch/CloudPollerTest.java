package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.node.Node;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

class CloudPollerTest {

    private static final Duration INTERVAL = Duration.ofMinutes(30);
    private static final Duration NOT_YET = Duration.ofMinutes(29);

    private final FakePlugins cloud = new FakePlugins();
    private final TestClock clock = new TestClock();
    private final AtomicInteger looks = new AtomicInteger();
    private Runnable during = () -> {};
    private CloudPoller lookout = lookout(true);

    @BeforeEach
    void start() {
        lookout.start();
        lookout.pollIfDue();
        looks.set(0);
    }

    @Test
    void the_first_poll_is_immediate() {
        lookout(true).pollIfDue();

        assertThat(looks).hasValue(1);
    }

    @Test
    void the_poller_polls_after_the_interval_without_notifications() {
        clock.putForward(NOT_YET);
        lookout.pollIfDue();
        assertThat(looks).hasValue(0);

        clock.putForward(INTERVAL.minus(NOT_YET));
        lookout.pollIfDue();
        lookout.pollIfDue();
        assertThat(looks).hasValue(1);
    }

    @Test
    void many_notifications_cause_one_poll() {
        for (int number = 0; number < 1_000; number++) {
            cloud.sendNews();
        }
        assertThat(looks).hasValue(0);

        lookout.pollIfDue();
        lookout.pollIfDue();

        assertThat(looks).hasValue(1);
    }

    @Test
    void a_poll_after_a_notification_restarts_the_interval() {
        clock.putForward(NOT_YET);
        cloud.sendNews();
        lookout.pollIfDue();

        clock.putForward(NOT_YET);
        lookout.pollIfDue();

        assertThat(looks).hasValue(1);
    }

    @Test
    void a_notification_in_the_pause_after_a_poll_causes_one_poll_after_it() {
        lookout.stop();
        lookout = lookout(true, Duration.ofSeconds(10));
        start();
        cloud.sendNews();
        clock.putForward(Duration.ofMillis(9_999));
        lookout.pollIfDue();
        assertThat(looks).hasValue(0);

        clock.putForward(Duration.ofMillis(1));
        lookout.pollIfDue();
        clock.putForward(Duration.ofSeconds(10));
        lookout.pollIfDue();

        assertThat(looks).hasValue(1);
    }

    @Test
    void a_notification_during_a_poll_causes_another_poll() {
        during = cloud::sendNews;
        cloud.sendNews();
        lookout.pollIfDue();
        during = () -> {};

        lookout.pollIfDue();
        lookout.pollIfDue();

        assertThat(looks).hasValue(2);
    }

    @Test
    void a_failed_poll_is_not_repeated_at_once() {
        during =
                () -> {
                    throw new IllegalStateException("no database");
                };
        cloud.sendNews();
        assertThatThrownBy(lookout::pollIfDue).hasMessage("no database");

        lookout.pollIfDue();

        assertThat(looks).hasValue(1);
    }

    @Test
    void a_clock_that_is_set_back_does_not_delay_a_poll() {
        clock.putForward(Duration.ofDays(-1));
        lookout.pollIfDue();
        lookout.pollIfDue();

        assertThat(looks).hasValue(1);
    }

    @Test
    void a_stopped_poller_ignores_notifications() {
        lookout.stop();
        cloud.sendNews();
        lookout.pollIfDue();

        assertThat(looks).hasValue(0);
        assertThat(lookout.isRunning()).isFalse();
    }

    @Test
    void an_inactive_node_ignores_notifications() {
        lookout.stop();
        lookout = lookout(false);
        start();

        cloud.sendNews();
        lookout.pollIfDue();

        assertThat(looks).hasValue(0);
    }

    private CloudPoller lookout(boolean works) {
        return lookout(works, Duration.ZERO);
    }

    private CloudPoller lookout(boolean works, Duration pause) {
        return new CloudPoller(
                cloud,
                (plugin, news) -> Optional.of(plugin.subscribe(news)),
                this::look,
                new CloudPoller.Timing(INTERVAL, pause),
                clock,
                new Node("node", works));
    }

    private void look() {
        looks.incrementAndGet();
        during.run();
    }
}
