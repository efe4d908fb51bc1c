package org.leasehold.query.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.by;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.underKey;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.KEY_REUSED;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.MADE;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.TOO_MANY;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.query.subscription.RecordedSubscriptionChanges;
import org.leasehold.query.subscription.SubscriptionChangeRecorder;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.subscription.Webhooks;
import org.leasehold.readmodel.subscription.Webhooks.Change;
import org.leasehold.readmodel.subscription.Webhooks.DeadLetter;
import org.leasehold.readmodel.subscription.Webhooks.Order;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionTemplate;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class PostgresWebhooksTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final ProjectId ASTRONOMY = new ProjectId("astronomy");
    private static final ProjectId BIOLOGY = new ProjectId("biology");
    private static final UserId ADA = new UserId("ada");
    private static final CommandContext BY = RecordedSubscriptionChanges.by("req-0");

    private static EventDatabase database;

    private final Webhooks webhooks =
            new PostgresWebhooks(
                    database.client(),
                    new TransactionTemplate(database.transactionManager()),
                    new SubscriptionChangeRecorder(database.client()));
    private final RecordedSubscriptionChanges noted = new RecordedSubscriptionChanges(database);

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
        database.jdbc().execute("TRUNCATE webhook, idempotency CASCADE");
        database.jdbc().execute("TRUNCATE domain_event RESTART IDENTITY");
        noted.forget();
    }

    private static UUID id(int number) {
        return new UUID(3, number);
    }

    private static Order order(int number, ProjectId project, boolean everything) {
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

    private boolean make(int number, ProjectId project) {
        return webhooks.create(order(number, project, false), "whsec_" + number, 3, BY) == MADE;
    }

    private Webhook find(int number, @Nullable ProjectId project) {
        return webhooks.find(id(number), project).orElseThrow();
    }

    @Test
    void a_new_webhook_starts_at_the_head_of_the_event_log() {
        database.append("Lease", "lease-1", "LeaseRequested", "{}", "{}");
        database.append("Lease", "lease-1", "LeaseStarting", "{}", "{}");

        assertThat(make(1, ASTRONOMY)).isTrue();

        assertThat(find(1, ASTRONOMY))
                .isEqualTo(new Webhook(order(1, ASTRONOMY, false), null, 2, 0, 0));
    }

    @Test
    void a_repeated_creation_replaces_the_secret_of_the_webhook() {
        make(1, ASTRONOMY);
        database.append("Lease", "lease-1", "LeaseRequested", "{}", "{}");

        assertThat(webhooks.create(order(1, ASTRONOMY, false), "whsec_again", 1, BY))
                .isEqualTo(MADE);

        assertThat(secrets(1)).containsExactly("whsec_again");
        assertThat(find(1, ASTRONOMY).position()).isZero();
    }

    /** Returns the secrets that sign, the newest first. */
    private static List<String> secrets(int number) {
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

    @Test
    void a_project_can_neither_read_nor_change_webhooks_of_other_projects() {
        make(1, ASTRONOMY);
        make(2, BIOLOGY);
        webhooks.create(order(3, ASTRONOMY, true), "whsec_3", 3, BY);

        assertThat(ids(webhooks.list(ASTRONOMY, null, 10))).containsExactly(id(1));
        assertThat(ids(webhooks.list(null, null, 10))).containsExactly(id(1), id(2), id(3));
        assertThat(webhooks.find(id(2), ASTRONOMY)).isEmpty();
        assertThat(webhooks.find(id(3), ASTRONOMY)).isEmpty();
        assertThat(webhooks.change(id(2), ASTRONOMY, new Change(null, null, null, false), BY))
                .isFalse();
        assertThat(webhooks.replaceSecret(id(2), ASTRONOMY, "whsec_x", DAY, BY)).isFalse();
        assertThat(webhooks.deadLetters(id(2), ASTRONOMY, null, 1)).isEmpty();
        assertThat(webhooks.retryDeadLetter(id(2), ASTRONOMY, 1, BY)).isFalse();
        assertThat(webhooks.retryAll(id(2), ASTRONOMY, BY)).isFalse();
        assertThat(webhooks.remove(id(2), ASTRONOMY, BY)).isFalse();
        assertThat(find(2, BIOLOGY).order().enabled()).isTrue();
        assertThat(secrets(2)).containsExactly("whsec_2");
    }

    private static List<UUID> ids(Page<Webhook> page) {
        return page.items().stream().map(webhook -> webhook.order().id()).toList();
    }

    @Test
    void webhooks_are_listed_in_pages() {
        make(1, ASTRONOMY);
        make(2, ASTRONOMY);
        make(3, ASTRONOMY);

        Page<Webhook> first = webhooks.list(ASTRONOMY, null, 2);
        Page<Webhook> second = webhooks.list(ASTRONOMY, first.next(), 2);

        assertThat(ids(first)).containsExactly(id(1), id(2));
        assertThat(ids(second)).containsExactly(id(3));
        assertThat(second.next()).isNull();
        assertThatThrownBy(() -> webhooks.list(ASTRONOMY, "nonsense", 2))
                .isInstanceOf(UnknownMarker.class);
    }

    @Test
    void a_change_keeps_the_other_properties_of_the_webhook() {
        make(1, ASTRONOMY);
        database.jdbc().update("UPDATE webhook SET disabled_because = 'gone', enabled = false");

        webhooks.change(
                id(1), ASTRONOMY, new Change("https://b.example.org/", null, null, null), BY);
        assertThat(find(1, ASTRONOMY).order().url()).isEqualTo("https://b.example.org/");
        assertThat(find(1, ASTRONOMY).disabledBecause()).isEqualTo("gone");
        assertThat(find(1, ASTRONOMY).order().types()).hasSize(2);
        webhooks.change(id(1), ASTRONOMY, new Change(null, Set.of(), "", true), BY);

        Webhook changed = find(1, ASTRONOMY);
        assertThat(changed.order().url()).isEqualTo("https://b.example.org/");
        assertThat(changed.order().types()).isEmpty();
        assertThat(changed.order().description()).isNull();
        assertThat(changed.order().enabled()).isTrue();
        assertThat(changed.disabledBecause()).isNull();
    }

    @Test
    void a_new_url_or_reactivation_makes_waiting_deliveries_due_at_once() {
        for (Change change :
                List.of(
                        new Change("https://b.example.org/", null, null, null),
                        new Change(null, null, null, true))) {
            database.jdbc().execute("TRUNCATE webhook CASCADE");
            make(1, ASTRONOMY);
            letter(1, 5, true);
            letter(1, 6, false);

            webhooks.change(id(1), ASTRONOMY, new Change(null, Set.of(), "another", false), BY);
            assertThat(due()).isEmpty();
            webhooks.change(id(1), ASTRONOMY, change, BY);
            assertThat(due()).containsExactly(6L);
        }
    }

    /** A paused receiver is not resumed by a change of its description. */
    @Test
    void a_new_url_or_reactivation_ends_the_pause_of_a_webhook() {
        make(1, ASTRONOMY);
        database.jdbc().update("UPDATE webhook SET resting_until = 'infinity'");
        for (Change change :
                List.of(
                        new Change(null, Set.of(), "another", null),
                        new Change("https://example.org/1", null, null, true),
                        new Change(null, null, null, false))) {
            webhooks.change(id(1), ASTRONOMY, change, BY);
            assertThat(isResting()).isTrue();
        }

        webhooks.change(id(1), ASTRONOMY, new Change(null, null, null, true), BY);
        assertThat(isResting()).isFalse();
        database.jdbc().update("UPDATE webhook SET resting_until = 'infinity'");
        webhooks.change(
                id(1), ASTRONOMY, new Change("https://b.example.org/", null, null, null), BY);
        assertThat(isResting()).isFalse();
    }

    private static boolean isResting() {
        return database.client()
                .sql("SELECT resting_until IS NOT NULL FROM webhook")
                .query(Boolean.class)
                .single();
    }

    @Test
    void a_replaced_secret_signs_for_a_limited_time() {
        make(1, ASTRONOMY);

        assertThat(webhooks.replaceSecret(id(1), ASTRONOMY, "whsec_b", DAY, BY)).isTrue();
        assertThat(secrets(1)).containsExactly("whsec_b", "whsec_1");
        webhooks.replaceSecret(id(1), ASTRONOMY, "whsec_c", Duration.ZERO, BY);
        assertThat(secrets(1)).containsExactly("whsec_c", "whsec_1");
        for (int i = 0; i < 10; i++) {
            webhooks.replaceSecret(id(1), ASTRONOMY, "whsec_d" + i, DAY, BY);
        }
        assertThat(secrets(1)).hasSize(5).startsWith("whsec_d9", "whsec_d8");
    }

    @Test
    void a_removal_deletes_the_secrets_and_the_deliveries_of_a_webhook() {
        make(1, ASTRONOMY);
        letter(1, 5, true);

        assertThat(webhooks.remove(id(1), ASTRONOMY, BY)).isTrue();

        assertThat(webhooks.find(id(1), null)).isEmpty();
        assertThat(count("webhook_secret")).isZero();
        assertThat(count("webhook_letter")).isZero();
        assertThat(webhooks.remove(id(1), ASTRONOMY, BY)).isFalse();
    }

    private static long count(String table) {
        return database.client().sql("SELECT count(*) FROM " + table).query(Long.class).single();
    }

    private static void letter(int number, long position, boolean dead) {
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

    @Test
    void dead_letters_are_listed_and_retried() {
        make(1, ASTRONOMY);
        letter(1, 3, true);
        letter(1, 4, false);
        letter(1, 7, true);
        letter(1, 9, true);

        Page<DeadLetter> first = webhooks.deadLetters(id(1), ASTRONOMY, null, 2).orElseThrow();
        assertThat(first.items()).extracting(DeadLetter::position).containsExactly(3L, 7L);
        assertThat(first.items().getFirst())
                .isEqualTo(
                        new DeadLetter(
                                3,
                                new UUID(5, 3),
                                "LeaseEnded",
                                4,
                                500,
                                "it failed",
                                NOON,
                                NOON.plusSeconds(9)));
        assertThat(webhooks.deadLetters(id(1), ASTRONOMY, first.next(), 2).orElseThrow().items())
                .extracting(DeadLetter::position)
                .containsExactly(9L);
        assertThatThrownBy(() -> webhooks.deadLetters(id(1), ASTRONOMY, "nonsense", 2))
                .isInstanceOf(UnknownMarker.class);
        assertThat(find(1, ASTRONOMY).waiting()).isEqualTo(1);
        assertThat(find(1, ASTRONOMY).dead()).isEqualTo(3);

        assertThat(webhooks.retryDeadLetter(id(1), ASTRONOMY, 4, BY)).isFalse();
        assertThat(webhooks.retryDeadLetter(id(1), ASTRONOMY, 3, BY)).isTrue();
        assertThat(webhooks.retryDeadLetter(id(1), ASTRONOMY, 3, BY)).isFalse();
        assertThat(due()).containsExactly(3L);
        webhooks.retryAll(id(1), ASTRONOMY, BY);
        assertThat(due()).containsExactly(3L, 4L, 7L, 9L);
        assertThat(find(1, ASTRONOMY).dead()).isZero();
        assertThat(
                        database.client()
                                .sql("SELECT step FROM webhook_letter ORDER BY position")
                                .query(Integer.class)
                                .list())
                .containsExactly(0, 3, 0, 0);
    }

    private static List<Long> due() {
        return database.client()
                .sql(
                        "SELECT position FROM webhook_letter WHERE next_at <= clock_timestamp()"
                                + " ORDER BY position")
                .query(Long.class)
                .list();
    }

    @Test
    void every_change_of_a_webhook_is_recorded_without_secrets() throws NoSuchAlgorithmException {
        Order order = order(1, "https://example.org:8443/hidden-1?hidden=2");
        webhooks.create(order, "whsec_1", 3, by("req-1"));
        webhooks.create(order, "whsec_2", 3, by("req-2"));
        change("https://user:hidden-3@example.org:8443/hidden-4", by("req-3"));
        Change more = new Change("http://[2001:db8::1]/hidden-5", Set.of(), "", false);
        webhooks.change(id(1), ASTRONOMY, more, by("req-4"));
        webhooks.change(id(1), null, more, by("req-5"));
        webhooks.replaceSecret(id(1), ASTRONOMY, "whsec_3", DAY, by("req-6"));
        letter(1, 3, true);
        letter(1, 4, false);
        letter(1, 7, true);
        webhooks.retryDeadLetter(id(1), ASTRONOMY, 3, by("req-7"));
        webhooks.retryAll(id(1), ASTRONOMY, by("req-8"));
        webhooks.remove(id(1), null, by("req-9", "nobody needs it"));

        String secrets = "SECRET_REPLACED {'secret': '…'} -> {'secret': '…'}";
        assertThat(noted.lines().stream().map(line -> line.replace('"', '\'')))
                .containsExactly(
                        "req-1 astronomy MADE - -> {'url': 'https://example.org:8443/…', 'user':"
                                + " 'ada', 'scope': 'project', 'types': ['LeaseActivated',"
                                + " 'LeaseEnded'], 'enabled': true, 'description': 'number 1'}",
                        "req-2 astronomy " + secrets,
                        "req-3 astronomy CHANGED {'url': 'https://example.org:8443/…'} ->"
                                + " {'url': 'https://example.org:8443/…'}",
                        "req-4 astronomy CHANGED {'url': 'https://example.org:8443/…', 'types':"
                                + " ['LeaseActivated', 'LeaseEnded'], 'enabled': true,"
                                + " 'description': 'number 1'} -> {'url':"
                                + " 'http://[2001:db8::1]/…', 'types': [], 'enabled': false}",
                        "req-5 astronomy CHANGED {} -> {}",
                        "req-6 astronomy " + secrets,
                        "req-7 astronomy RETRIED {'letters.3': 'dead'} -> {'letters.3':"
                                + " 'waiting'}",
                        "req-8 astronomy RETRIED {'dead': 1, 'waiting': 2} -> {'dead': 0,"
                                + " 'waiting': 3}",
                        "req-9 astronomy REMOVED {'url': 'http://[2001:db8::1]/…', 'user': 'ada',"
                                + " 'scope': 'project', 'types': [], 'enabled': false} -> -");
        assertThat(noted.origins())
                .hasSize(9)
                .allMatch(origin -> origin.endsWith(" root 192.0.2.7 curl/8"));
        assertThat(noted.everything())
                .contains("nobody needs it")
                .doesNotContain("hidden", "whsec", hash("whsec_1"), hash("whsec_3"));
    }

    private static Order order(int number, String url) {
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

    private void change(String url, CommandContext by) {
        webhooks.change(id(1), ASTRONOMY, new Change(url, null, null, null), by);
    }

    private static String hash(String secret) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8));
        return HexFormat.of().formatHex(digest);
    }

    @Test
    void a_reactivation_records_the_former_reason_of_the_deactivation() {
        make(1, ASTRONOMY);
        database.jdbc().update("UPDATE webhook SET disabled_because = 'gone', enabled = false");

        webhooks.change(id(1), ASTRONOMY, new Change(null, null, null, true), by("req-1"));

        assertThat(noted.lines().getLast())
                .isEqualTo(
                        "req-1 astronomy CHANGED {\"enabled\": false, \"disabled_because\":"
                                + " \"gone\"} -> {\"enabled\": true}");
    }

    @Test
    void a_rejected_or_ineffective_request_is_not_recorded() {
        make(1, ASTRONOMY);
        webhooks.create(order(2, ASTRONOMY, true), "whsec_2", 3, underKey("req-1", "k", "hash"));
        noted.forget();
        Change change = new Change(null, Set.of(), null, null);
        CommandContext other = underKey("req-2", "k", "other");

        assertThat(webhooks.create(order(3, ASTRONOMY, false), "whsec_3", 1, BY))
                .isEqualTo(TOO_MANY);
        assertThat(webhooks.create(order(3, ASTRONOMY, false), "whsec_3", 3, other))
                .isEqualTo(KEY_REUSED);
        assertThat(webhooks.find(id(3), null)).isEmpty();
        for (UUID none : List.of(id(1), id(9))) {
            assertThat(webhooks.change(none, BIOLOGY, change, BY)).isFalse();
            assertThat(webhooks.replaceSecret(none, BIOLOGY, "whsec_x", DAY, BY)).isFalse();
            assertThat(webhooks.retryAll(none, BIOLOGY, BY)).isFalse();
            assertThat(webhooks.remove(none, BIOLOGY, BY)).isFalse();
        }
        assertThat(webhooks.remove(id(2), ASTRONOMY, BY)).isFalse();
        assertThat(webhooks.retryDeadLetter(id(1), ASTRONOMY, 7, BY)).isFalse();

        assertThat(noted.lines()).isEmpty();
        assertThat(noted.origins()).isEmpty();
    }

    @Test
    void a_change_that_cannot_be_recorded_is_rolled_back() {
        CommandContext unwritable = by("req-1", RecordedSubscriptionChanges.UNWRITABLE);
        make(1, ASTRONOMY);
        letter(1, 3, true);
        Webhook before = find(1, ASTRONOMY);

        List<ThrowingCallable> requests =
                List.of(
                        () -> webhooks.create(order(1, ASTRONOMY, false), "whsec_x", 3, unwritable),
                        () -> webhooks.create(order(2, ASTRONOMY, false), "whsec_x", 3, unwritable),
                        () -> change("https://b.example.org/", unwritable),
                        () -> webhooks.replaceSecret(id(1), null, "whsec_x", DAY, unwritable),
                        () -> webhooks.retryDeadLetter(id(1), null, 3, unwritable),
                        () -> webhooks.retryAll(id(1), null, unwritable),
                        () -> webhooks.remove(id(1), null, unwritable));
        for (ThrowingCallable request : requests) {
            assertThatThrownBy(request).isInstanceOf(DataAccessException.class);
        }

        assertThat(webhooks.list(null, null, 10).items()).containsExactly(before);
        assertThat(secrets(1)).containsExactly("whsec_1");
    }

    @Test
    void the_limit_of_webhooks_per_project_holds_under_concurrency() throws Exception {
        List<Callable<Boolean>> requests = new ArrayList<>();
        for (int number = 1; number <= 8; number++) {
            int each = number;
            requests.add(() -> make(each, ASTRONOMY));
        }
        int made = 0;
        try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
            for (Future<Boolean> answer : callers.invokeAll(requests)) {
                made += answer.get() ? 1 : 0;
            }
        }

        assertThat(made).isEqualTo(3);
        assertThat(webhooks.list(ASTRONOMY, null, 10).items()).hasSize(3);
        assertThat(make(9, BIOLOGY)).isTrue();
        assertThat(webhooks.list(BIOLOGY, null, 10).items()).hasSize(1);
    }
}
