package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.FailedLoginLimiter.LoginSource;

import java.time.Duration;

class FailedLoginLimiterTest {

    private static final LoginSource HERE = new LoginSource("192.0.2.1", "alice");

    private long now;
    private final FailedLoginLimiter logins =
            new FailedLoginLimiter(
                    new LimitSettings.Logins(3, Duration.ofSeconds(1), Duration.ofSeconds(5), 1),
                    () -> now);

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            logins.recordFailure(HERE);
        }
    }

    @Test
    void failures_below_the_threshold_cause_no_pause() {
        fail(2);
        assertThat(logins.remainingPause(HERE)).isEmpty();
    }

    @Test
    void each_further_failure_doubles_the_pause_up_to_the_longest() {
        fail(3);
        assertThat(logins.remainingPause(HERE)).contains(Duration.ofSeconds(1));
        fail(1);
        assertThat(logins.remainingPause(HERE)).contains(Duration.ofSeconds(2));
        fail(1);
        assertThat(logins.remainingPause(HERE)).contains(Duration.ofSeconds(4));
        fail(100);
        assertThat(logins.remainingPause(HERE)).contains(Duration.ofSeconds(5));
    }

    @Test
    void a_pause_ends() {
        fail(3);
        now += Duration.ofSeconds(1).toNanos();
        assertThat(logins.remainingPause(HERE)).isEmpty();
    }

    @Test
    void another_address_need_not_pause() {
        fail(3);
        assertThat(logins.remainingPause(new LoginSource("192.0.2.2", "alice"))).isEmpty();
    }

    @Test
    void another_user_at_the_same_address_need_not_pause() {
        fail(3);
        assertThat(logins.remainingPause(new LoginSource("192.0.2.1", "bob"))).isEmpty();
    }

    @Test
    void failures_with_many_names_pause_the_address_for_the_first_pause() {
        LoginSource another = new LoginSource("192.0.2.1", "bob");
        failWithNames(0, 29);
        assertThat(logins.remainingPause(another)).isEmpty();
        failWithNames(29, 30);
        assertThat(logins.remainingPause(another)).contains(Duration.ofSeconds(1));
        failWithNames(30, 100);
        assertThat(logins.remainingPause(another)).contains(Duration.ofSeconds(1));
        assertThat(logins.remainingPause(new LoginSource("192.0.2.2", "bob"))).isEmpty();
    }

    @Test
    void the_failures_of_an_address_count_for_a_minute() {
        LoginSource another = new LoginSource("192.0.2.1", "bob");
        failWithNames(0, 30);
        now += Duration.ofSeconds(60).toNanos();
        failWithNames(30, 59);
        assertThat(logins.remainingPause(another)).isEmpty();
        failWithNames(59, 60);
        assertThat(logins.remainingPause(another)).contains(Duration.ofSeconds(1));
    }

    @Test
    void a_correct_password_does_not_reset_the_failures_of_the_address() {
        failWithNames(0, 29);
        logins.recordSuccess(HERE);
        failWithNames(29, 30);
        assertThat(logins.remainingPause(HERE)).contains(Duration.ofSeconds(1));
    }

    private void failWithNames(int from, int to) {
        for (int i = from; i < to; i++) {
            logins.recordFailure(new LoginSource("192.0.2.1", "name " + i));
        }
    }

    @Test
    void a_correct_password_resets_the_failures() {
        fail(3);
        logins.recordSuccess(HERE);
        fail(2);
        assertThat(logins.remainingPause(HERE)).isEmpty();
    }

    @Test
    void failures_expire_over_time() {
        fail(3);
        now += Duration.ofHours(1).toNanos();
        fail(2);
        assertThat(logins.remainingPause(HERE)).isEmpty();
    }
}
