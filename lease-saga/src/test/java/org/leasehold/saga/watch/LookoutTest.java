package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.node.Node;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

class LookoutTest {

    private static final Duration INTERVAL = Duration.ofMinutes(30);
    private static final Duration NOT_YET = Duration.ofMinutes(29);

    private final FakePlugins cloud = new FakePlugins();
    private final TestClock clock = new TestClock();
    private final AtomicInteger looks = new AtomicInteger();
    private Runnable during = () -> {};
    private Lookout lookout = lookout(true);

    @BeforeEach
    void start() {
        lookout.start();
        lookout.tick();
        looks.set(0);
    }

    @Test
    void the_first_look_waits_for_nothing() {
        lookout(true).tick();

        assertThat(looks).hasValue(1);
    }

    @Test
    void without_news_a_look_follows_after_a_while() {
        clock.putForward(NOT_YET);
        lookout.tick();
        assertThat(looks).hasValue(0);

        clock.putForward(INTERVAL.minus(NOT_YET));
        lookout.tick();
        lookout.tick();
        assertThat(looks).hasValue(1);
    }

    @Test
    void much_news_is_one_reason_to_look() {
        for (int number = 0; number < 1_000; number++) {
            cloud.tellNews();
        }
        assertThat(looks).hasValue(0);

        lookout.tick();
        lookout.tick();

        assertThat(looks).hasValue(1);
    }

    @Test
    void after_a_look_for_news_the_next_one_takes_its_while() {
        clock.putForward(NOT_YET);
        cloud.tellNews();
        lookout.tick();

        clock.putForward(NOT_YET);
        lookout.tick();

        assertThat(looks).hasValue(1);
    }

    @Test
    void what_is_told_during_a_look_is_looked_for_again() {
        during = cloud::tellNews;
        cloud.tellNews();
        lookout.tick();
        during = () -> {};

        lookout.tick();
        lookout.tick();

        assertThat(looks).hasValue(2);
    }

    @Test
    void a_look_that_fails_is_not_repeated_at_once() {
        during =
                () -> {
                    throw new IllegalStateException("no database");
                };
        cloud.tellNews();
        assertThatThrownBy(lookout::tick).hasMessage("no database");

        lookout.tick();

        assertThat(looks).hasValue(1);
    }

    @Test
    void a_clock_that_is_put_back_delays_nothing() {
        clock.putForward(Duration.ofDays(-1));
        lookout.tick();
        lookout.tick();

        assertThat(looks).hasValue(1);
    }

    @Test
    void once_it_is_stopped_there_is_no_news() {
        lookout.stop();
        cloud.tellNews();
        lookout.tick();

        assertThat(looks).hasValue(0);
        assertThat(lookout.isRunning()).isFalse();
    }

    @Test
    void a_node_that_does_not_act_does_not_listen() {
        lookout.stop();
        lookout = lookout(false);
        start();

        cloud.tellNews();
        lookout.tick();

        assertThat(looks).hasValue(0);
    }

    private Lookout lookout(boolean works) {
        return new Lookout(cloud, this::look, INTERVAL, clock, new Node("node", works));
    }

    private void look() {
        looks.incrementAndGet();
        during.run();
    }
}
