package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class FailedLoginsTest {

    private static final String HERE = "192.0.2.1";

    private long now;
    private final FailedLogins logins =
            new FailedLogins(
                    new LimitSettings.Logins(3, Duration.ofSeconds(1), Duration.ofSeconds(5), 1),
                    () -> now);

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            logins.failed(HERE);
        }
    }

    @Test
    void a_few_failures_cost_no_pause() {
        fail(2);
        assertThat(logins.pause(HERE)).isEmpty();
    }

    @Test
    void each_further_failure_doubles_the_pause_up_to_the_longest() {
        fail(3);
        assertThat(logins.pause(HERE)).contains(Duration.ofSeconds(1));
        fail(1);
        assertThat(logins.pause(HERE)).contains(Duration.ofSeconds(2));
        fail(1);
        assertThat(logins.pause(HERE)).contains(Duration.ofSeconds(4));
        fail(100);
        assertThat(logins.pause(HERE)).contains(Duration.ofSeconds(5));
    }

    @Test
    void a_pause_ends() {
        fail(3);
        now += Duration.ofSeconds(1).toNanos();
        assertThat(logins.pause(HERE)).isEmpty();
    }

    @Test
    void another_address_need_not_pause() {
        fail(3);
        assertThat(logins.pause("192.0.2.2")).isEmpty();
    }

    @Test
    void a_right_password_forgets_the_failures() {
        fail(3);
        logins.succeeded(HERE);
        fail(2);
        assertThat(logins.pause(HERE)).isEmpty();
    }

    @Test
    void failures_are_forgotten_after_a_while() {
        fail(3);
        now += Duration.ofHours(1).toNanos();
        fail(2);
        assertThat(logins.pause(HERE)).isEmpty();
    }
}
