package org.leasehold.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class RequestRatesTest {

    private static final int BURST = 10;

    private long now;
    private final RequestRates rates = rates(2);

    private RequestRates rates(int perSecond) {
        return new RequestRates(
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
            assertThat(rates.count("alice")).isEmpty();
        }
    }

    @Test
    void beyond_a_burst_an_owner_has_to_wait() {
        sendBurst();
        assertThat(rates.count("alice")).contains(Duration.ofMillis(500));
    }

    @Test
    void what_one_owner_sends_does_not_count_for_another() {
        sendBurst();
        assertThat(rates.count("bob")).isEmpty();
    }

    @Test
    void with_time_come_more_requests_at_the_rate() {
        sendBurst();
        now += Duration.ofSeconds(1).toNanos();
        assertThat(rates.count("alice")).isEmpty();
        assertThat(rates.count("alice")).isEmpty();
        assertThat(rates.count("alice")).isPresent();
    }

    @Test
    void without_a_rate_there_is_no_limit() {
        RequestRates any = rates(0);
        for (int i = 0; i < 100 * BURST; i++) {
            assertThat(any.count("alice")).isEmpty();
        }
    }
}
