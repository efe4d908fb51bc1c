package org.leasehold.saga.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.saga.fakes.Await;

import java.time.Duration;

class TimerBacklogTest {

    @Test
    void a_waiting_action_continues_when_the_backlog_ends() throws InterruptedException {
        TimerBacklog rush = new TimerBacklog(Duration.ofMinutes(1));
        rush.begin();
        Thread action = waiting(rush);
        Await.until("it waits", () -> action.getState() == Thread.State.TIMED_WAITING);

        rush.end();

        assertThat(action.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void an_endless_backlog_blocks_an_action_only_for_a_limited_time() throws InterruptedException {
        TimerBacklog rush = new TimerBacklog(Duration.ofMillis(20));
        rush.begin();
        assertThat(waiting(rush).join(Duration.ofSeconds(10))).isTrue();

        rush.begin();

        assertThat(waiting(rush).join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void an_action_does_not_wait_without_a_backlog() throws InterruptedException {
        assertThat(waiting(new TimerBacklog(Duration.ofMinutes(1))).join(Duration.ofSeconds(10)))
                .isTrue();
    }

    private static Thread waiting(TimerBacklog rush) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                rush.awaitEnd();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
    }
}
