package org.leasehold.query.rating;

import static org.leasehold.query.booking.BookingEventLog.minute;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.time.ZoneOffset;

/** Leases with a price plan, and their charges; times are minutes after noon. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresChargesFixture {

    static final PricePlans PLANS =
            PricePlans.of(
                    """
                    {"plans": [{"name": "one", "from": "2030-01-01T00:00:00Z", "currency": "EUR",
                        "rates": [{"kind": "physical:host", "resources": "physical:host",
                                   "price": "6", "reservation_fee": "1"}]}]}
                    """);

    final BookingEventLog journal = new BookingEventLog();

    @AfterAll
    void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        journal.enrol(1, "physical:host");
        journal.enrol(2, "virtual:network");
    }

    /** Positions as if each event had been stored when it was decided. */
    final class Stored implements EventLogPositions {

        @Override
        public long last() {
            return at(Instant.parse("2100-01-01T00:00:00Z"));
        }

        @Override
        public long at(Instant instant) {
            return journal.jdbc()
                    .queryForObject(
                            """
                            SELECT coalesce(max(position), 0) FROM domain_event
                            WHERE decided_at <= ?
                            """,
                            Long.class,
                            instant.atOffset(ZoneOffset.UTC));
        }
    }

    PostgresCharges charges() {
        return new PostgresCharges(journal.jdbc(), journal.streams(), new Stored(), PLANS);
    }

    static ListCharges question(@Nullable String project, long from, long to, long now, int limit) {
        return new ListCharges(
                project == null ? null : new ProjectId(project),
                minute(from),
                minute(to),
                minute(now),
                null,
                null,
                limit);
    }
}
