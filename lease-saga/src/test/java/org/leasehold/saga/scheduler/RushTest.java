package org.leasehold.saga.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.saga.fakes.Await;

import java.time.Duration;

class RushTest {

    @Test
    void actions_wait_for_the_end_of_a_rush() throws InterruptedException {
        Rush rush = new Rush(Duration.ofMinutes(1));
        rush.begin();
        Thread action = waiting(rush);
        Await.until("it waits", () -> action.getState() == Thread.State.TIMED_WAITING);

        rush.end();

        assertThat(action.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void a_rush_that_does_not_end_holds_nothing_back_for_ever() throws InterruptedException {
        Rush rush = new Rush(Duration.ofMillis(20));
        rush.begin();
        assertThat(waiting(rush).join(Duration.ofSeconds(10))).isTrue();

        rush.begin();

        assertThat(waiting(rush).join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void nothing_waits_while_there_is_none() throws InterruptedException {
        assertThat(waiting(new Rush(Duration.ofMinutes(1))).join(Duration.ofSeconds(10))).isTrue();
    }

    private static Thread waiting(Rush rush) {
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
