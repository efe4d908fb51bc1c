package org.leasehold.query.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.KEY_REUSED;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.MADE;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.TOO_MANY;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

class IdempotentCreationTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    private static EventDatabase database;

    private final IdempotentCreation requests =
            new IdempotentCreation(
                    database.client(), new TransactionTemplate(database.transactionManager()));
    private final AtomicInteger made = new AtomicInteger();

    @BeforeAll
    static void open() {
        database = new EventDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbc().execute("TRUNCATE idempotency");
    }

    private SubscriptionOutcome make(String hash) {
        return make(key(hash), NOON);
    }

    private SubscriptionOutcome make(@Nullable Idempotency key, Instant now) {
        return requests.create(context(key, now), () -> made.incrementAndGet() > 0);
    }

    private static Idempotency key(String hash) {
        return new Idempotency("p", "k", hash);
    }

    private static CommandContext context(@Nullable Idempotency key, Instant now) {
        return new CommandContext(now, "req-1", "u", "p", List.of("member"), "basic", key);
    }

    @Test
    void a_repeated_request_runs_again_with_or_without_a_key() {
        assertThat(make("hash")).isEqualTo(MADE);
        assertThat(make("hash")).isEqualTo(MADE);
        assertThat(make(null, NOON)).isEqualTo(MADE);
        assertThat(make(null, NOON)).isEqualTo(MADE);
        assertThat(made).hasValue(4);
    }

    @Test
    void a_key_is_bound_to_one_request_within_a_project() {
        make("hash");

        assertThat(make("other")).isEqualTo(KEY_REUSED);
        assertThat(made).hasValue(1);
        assertThat(make("hash")).isEqualTo(MADE);
        assertThat(make(new Idempotency("q", "k", "other"), NOON)).isEqualTo(MADE);
    }

    @Test
    void a_key_of_a_command_cannot_be_reused_for_a_subscription() {
        database.jdbc()
                .update(
                        """
                        INSERT INTO idempotency (project_id, key, body_hash, outcome, created_at)
                        VALUES ('p', 'k', 'command', '"done"', '2030-01-01 12:00Z')
                        """);

        assertThat(make("hash")).isEqualTo(KEY_REUSED);
        assertThat(
                        database.client()
                                .sql("SELECT outcome::text FROM idempotency")
                                .query(String.class)
                                .single())
                .isEqualTo("\"done\"");
    }

    @Test
    void a_failed_creation_leaves_the_key_unused() {
        CommandContext context = context(key("hash"), NOON);

        assertThat(requests.create(context, () -> false)).isEqualTo(TOO_MANY);
        assertThatThrownBy(
                        () ->
                                requests.create(
                                        context,
                                        () -> {
                                            throw new IllegalStateException("broken");
                                        }))
                .hasMessage("broken");
        assertThat(make("other")).isEqualTo(MADE);
    }

    @Test
    void a_key_expires_one_day_after_the_first_request() {
        make("hash");
        make(key("hash"), NOON.plus(DAY.dividedBy(2)));

        assertThat(make(key("other"), NOON.plus(DAY).minusSeconds(1))).isEqualTo(KEY_REUSED);
        assertThat(make(key("other"), NOON.plus(DAY))).isEqualTo(MADE);
        assertThat(make(key("hash"), NOON.plus(DAY))).isEqualTo(KEY_REUSED);
    }

    @Test
    void one_of_many_concurrent_requests_with_the_same_key_succeeds() throws Exception {
        List<Callable<SubscriptionOutcome>> all = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String hash = "hash " + i;
            all.add(() -> make(hash));
        }
        List<SubscriptionOutcome> outcomes = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<SubscriptionOutcome> one : threads.invokeAll(all)) {
                outcomes.add(one.get());
            }
        }

        assertThat(made).hasValue(1);
        assertThat(Collections.frequency(outcomes, KEY_REUSED)).isEqualTo(15);
    }
}
