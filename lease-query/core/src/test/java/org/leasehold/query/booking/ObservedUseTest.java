package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.usage.Usages.Use;

import java.math.BigDecimal;

/** The use that was observed on reserved hosts. */
class ObservedUseTest extends UsageFixture {

    @Test
    void the_last_observation_determines_the_use_of_a_host() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.start(60, 1);
        journal.see(65, 1, 1, 0, 0);
        journal.see(90, 1, 1, 2, 8);
        journal.see(80, 1, 2, 1, 4);
        journal.see(125, 1, 1, 7, 7);
        follow();

        assertThat(use(question(ANY, null, FROM, TO, TO, null)))
                .as("55 and 40 minutes, 25 of them idle, 2 x 30 and 1 x 40, 8 x 30 and 4 x 40")
                .isEqualTo(new Use(minutes(95), minutes(25), minutes(100), minutes(400)));
        assertThat(use(question(ANY, null, minute(70), minute(100), TO, null)))
                .isEqualTo(new Use(minutes(50), minutes(20), minutes(40), minutes(160)));
        assertThat(use(question(ANY, null, FROM, TO, TO, journal.database.head() - 3)))
                .as("as it was known when it had been seen once")
                .isEqualTo(new Use(minutes(55), minutes(55), minutes(0), minutes(0)));
    }

    @Test
    void an_observation_after_a_clock_reset_replaces_later_observations() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.start(60, 1);
        journal.see(70, 1, 1, 1, 1);
        journal.see(100, 1, 1, 3, 3);
        journal.see(80, 1, 1, 0, 0);
        follow();

        assertThat(use(question(ANY, null, FROM, TO, TO, null)))
                .isEqualTo(new Use(minutes(50), minutes(40), minutes(10), minutes(10)));
    }

    @Test
    void a_share_of_a_host_has_no_observed_use() {
        journal.book(1, "astronomy", window(60, 120), share(1, 3));
        journal.start(60, 1);
        journal.see(70, 1, 1, 1, 1);
        follow();

        assertThat(use(question(ANY, null, FROM, TO, TO, null)))
                .isEqualTo(new Use(minutes(0), minutes(0), minutes(0), minutes(0)));
    }

    private static BigDecimal minutes(long minutes) {
        return BigDecimal.valueOf(60 * minutes).setScale(6);
    }
}
