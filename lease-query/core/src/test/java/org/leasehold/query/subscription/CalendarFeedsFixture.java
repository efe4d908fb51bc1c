package org.leasehold.query.subscription;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Instant;

/** A PostgreSQL with calendar feeds; each test begins without feeds and leases. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CalendarFeedsFixture {

    static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final ProjectId ASTRONOMY = new ProjectId("astronomy");
    static final ProjectId BIOLOGY = new ProjectId("biology");

    final EventDatabase database = new EventDatabase();

    final CalendarFeeds feeds =
            new PostgresCalendarFeeds(
                    database.client(),
                    new TransactionTemplate(database.transactionManager()),
                    new SubscriptionChangeRecorder(database.client()));
    final RecordedSubscriptionChanges noted = new RecordedSubscriptionChanges(database);

    @AfterAll
    void close() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbc().execute("TRUNCATE calendar_feed, booking, lease, event_entry, idempotency");
        noted.forget();
    }
}
