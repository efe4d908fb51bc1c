package org.leasehold.query.webhook;

import static org.leasehold.readmodel.subscription.SubscriptionOutcome.MADE;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.leasehold.command.CommandContext;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.query.subscription.RecordedSubscriptionChanges;
import org.leasehold.query.subscription.SubscriptionChangeRecorder;
import org.leasehold.readmodel.subscription.Webhooks;
import org.leasehold.readmodel.subscription.Webhooks.Change;
import org.leasehold.readmodel.subscription.Webhooks.Order;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The tables of webhooks, which are empty before each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresWebhooksFixture {

    static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final Duration DAY = Duration.ofDays(1);
    static final ProjectId ASTRONOMY = new ProjectId("astronomy");
    static final ProjectId BIOLOGY = new ProjectId("biology");
    private static final UserId ADA = new UserId("ada");
    static final CommandContext BY = RecordedSubscriptionChanges.by("req-0");

    final EventDatabase database = new EventDatabase();
    final Webhooks webhooks =
            new PostgresWebhooks(
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
        database.jdbc().execute("TRUNCATE webhook, idempotency CASCADE");
        database.jdbc().execute("TRUNCATE domain_event RESTART IDENTITY");
        noted.forget();
    }

    static UUID id(int number) {
        return new UUID(3, number);
    }

    static Order order(int number, ProjectId project, boolean everything) {
        return new Order(
                id(number),
                project,
                everything,
                ADA,
                "https://example.org/" + number,
                Set.of("LeaseEnded", "LeaseActivated"),
                "number " + number,
                true,
                NOON.plusSeconds(number));
    }

    static Order order(int number, String url) {
        Order order = order(number, ASTRONOMY, false);
        return new Order(
                order.id(),
                order.project(),
                order.everything(),
                order.user(),
                url,
                order.types(),
                order.description(),
                order.enabled(),
                order.createdAt());
    }

    boolean make(int number, ProjectId project) {
        return webhooks.create(order(number, project, false), "whsec_" + number, 3, BY) == MADE;
    }

    Webhook find(int number, @Nullable ProjectId project) {
        return webhooks.find(id(number), project).orElseThrow();
    }

    /** Returns the secrets that sign, the newest first. */
    List<String> secrets(int number) {
        return database.client()
                .sql(
                        """
                        SELECT secret FROM webhook_secret WHERE webhook_id = ?
                          AND (until IS NULL OR until > clock_timestamp()) ORDER BY number DESC
                        """)
                .param(id(number))
                .query(String.class)
                .list();
    }

    void letter(int number, long position, boolean dead) {
        database.client()
                .sql(
                        """
                        INSERT INTO webhook_letter (webhook_id, position, stream, event_id,
                            event_type, attempts, step, status, failure, first_at, last_at,
                            next_at)
                        VALUES (?, ?, 'Lease:1', ?, 'LeaseEnded', 4, 3, 500, 'it failed', ?, ?,
                            CASE WHEN ? THEN NULL ELSE 'infinity'::timestamptz END)
                        """)
                .param(id(number))
                .param(position)
                .param(new UUID(5, position))
                .param(NOON.atOffset(ZoneOffset.UTC))
                .param(NOON.plusSeconds(9).atOffset(ZoneOffset.UTC))
                .param(dead)
                .update();
    }

    void change(String url, CommandContext by) {
        webhooks.change(id(1), ASTRONOMY, new Change(url, null, null, null), by);
    }
}
