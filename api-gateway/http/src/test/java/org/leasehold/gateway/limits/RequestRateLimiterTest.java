package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class RequestRateLimiterTest {

    private static final int BURST = 10;

    private long now;
    private final RequestRateLimiter rates = rates(2);

    private RequestRateLimiter rates(int perSecond) {
        return new RequestRateLimiter(
                new LimitSettings.Requests(perSecond, BURST, 1, 1, 1, 1, Duration.ZERO),
                new TimeMeter() {
                    @Override
                    public long currentTimeNanos() {
                        return now;
                    }

                    @Override
                    public boolean isWallClockBased() {
                        return false;
                    }
                });
    }

    private void sendBurst() {
        for (int i = 0; i < BURST; i++) {
            assertThat(rates.countRequest("alice")).isEmpty();
        }
    }

    @Test
    void an_owner_waits_after_a_burst() {
        sendBurst();
        assertThat(rates.countRequest("alice")).contains(Duration.ofMillis(500));
    }

    @Test
    void the_requests_of_one_owner_do_not_count_for_another() {
        sendBurst();
        assertThat(rates.countRequest("bob")).isEmpty();
    }

    @Test
    void the_limit_refills_at_the_configured_rate() {
        sendBurst();
        now += Duration.ofSeconds(1).toNanos();
        assertThat(rates.countRequest("alice")).isEmpty();
        assertThat(rates.countRequest("alice")).isEmpty();
        assertThat(rates.countRequest("alice")).isPresent();
    }

    @Test
    void a_rate_of_zero_disables_the_limit() {
        RequestRateLimiter any = rates(0);
        for (int i = 0; i < 100 * BURST; i++) {
            assertThat(any.countRequest("alice")).isEmpty();
        }
    }
}
