package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;
import static org.leasehold.publishing.EventFeedFixture.await;
import static org.leasehold.publishing.webhook.WebhookFixture.SECRET;
import static org.leasehold.publishing.webhook.WebhookFixture.SOON;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.webhook.WebhookFixture.Node;
import org.leasehold.publishing.webhook.WebhookReceiver.Answer;
import org.leasehold.publishing.webhook.WebhookReceiver.Message;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The guarantees for receivers. */
@Timeout(180)
class WebhookPublicationTest {

    private static WebhookFixture office;
    private WebhookReceiver receiver;

    private static final String RESTING =
            "SELECT count(*) FROM webhook WHERE resting_until > now() + interval '1 hour'";

    @BeforeAll
    static void open() {
        office = new WebhookFixture();
    }

    @AfterAll
    static void close() {
        office.close();
    }

    @BeforeEach
    void begin() {
        office.begin();
        receiver = new WebhookReceiver();
    }

    @AfterEach
    void end() {
        office.begin();
        receiver.close();
    }

    private void awaitMessages(int count) {
        await(() -> receiver.messages.size() >= count, SOON);
    }

    @Test
    void a_delivery_is_a_signed_cloud_event() throws Exception {
        office.live("p1", 1, "before");
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, "lease-1");
        awaitMessages(1);
        office.awaitProcessed(hook);

        assertThat(receiver.messages).hasSize(1);
        Message message = receiver.messages.getFirst();
        String id =
                office.database
                        .client()
                        .sql("SELECT event_id::text FROM domain_event WHERE position = 2")
                        .query(String.class)
                        .single();
        assertThat(message.method() + message.path()).isEqualTo("POST/hook");
        assertThat(message.header("content-type")).isEqualTo("application/cloudevents+json");
        assertThat(message.header("webhook-id")).isEqualTo(id);
        assertThat(message.json().path("id").asString()).isEqualTo(id);
        assertThat(message.hasProperties()).isFalse();
        assertThat(Long.parseLong(message.header("webhook-timestamp")))
                .isCloseTo(Instant.now().getEpochSecond(), offset(600L));
        assertThat(message.header("webhook-signature")).isEqualTo(signature(SECRET, message));
    }

    /** Computes the signature as a receiver does. */
    private static String signature(String secret, Message message) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(
                new SecretKeySpec(
                        Base64.getDecoder().decode(secret.substring("whsec_".length())), "raw"));
        String signed =
                String.join(
                        ".",
                        message.header("webhook-id"),
                        message.header("webhook-timestamp"),
                        message.body());
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    }

    @Test
    void a_delivery_is_signed_with_every_secret_that_is_still_valid() throws Exception {
        String former = SECRET.replace("AAEC", "BBBB");
        String forgotten = SECRET.replace("AAEC", "CCCC");
        UUID hook = office.hook("p1", receiver.url());
        office.database.jdbc().update("DELETE FROM webhook_secret");
        office.addSecret(hook, forgotten);
        office.database.jdbc().update("UPDATE webhook_secret SET until = now()");
        office.addSecret(hook, former);
        office.database
                .jdbc()
                .update("UPDATE webhook_secret SET until = 'infinity' WHERE until IS NULL");
        office.addSecret(hook, SECRET);
        office.start();
        office.live("p1", 1, "lease-1");
        awaitMessages(1);

        Message message = receiver.messages.getFirst();
        assertThat(message.header("webhook-signature"))
                .isEqualTo(signature(SECRET, message) + " " + signature(former, message));
    }

    @Test
    void a_webhook_receives_the_events_of_the_project_or_of_all_projects() {
        UUID hook = office.hook("p1", receiver.url(), "LeaseStarting");
        try (WebhookReceiver all = new WebhookReceiver()) {
            UUID everything = office.hook("p0", true, all.url());
            office.start();
            office.live("p1", 2, "lease-1");
            office.live("p2", 2, "lease-2");
            office.database.append("Resource", "7", "ResourceEnabled", "{}", "{}");
            office.live("p1", 1, "lease-1");
            office.awaitProcessed(hook);
            office.awaitProcessed(everything);

            assertThat(receiver.positions()).containsExactly(2L, 6L);
            assertThat(all.positions()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(all.messages)
                    .allMatch(message -> message.hasProperties() || message.stream().equals("7"));
        }
    }

    @Test
    void a_working_receiver_gets_every_event_once_and_in_order() {
        UUID hook = office.hook("p1", receiver.url());
        Node node = office.start();
        office.live("p1", 50, "lease-1", "lease-2", "lease-3");
        office.awaitProcessed(hook);

        assertThat(receiver.positions()).isEqualTo(LongStream.rangeClosed(1, 150).boxed().toList());
        assertThat(node.deliveries().isFailing()).isFalse();
        assertThat(node.deliveries().offset()).isEqualTo(Long.MAX_VALUE);
        assertThat(office.waiting(hook)).isZero();
    }

    @Test
    void a_failed_delivery_delays_only_the_events_of_the_same_lease() {
        AtomicBoolean well = new AtomicBoolean();
        receiver.answer =
                message -> new Answer(message.stream().equals("sick") && !well.get() ? 500 : 200);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 3, "sick", "sound");
        office.awaitProcessed(hook);

        assertThat(receiver.positions()).containsExactly(1L, 2L, 4L, 6L);
        assertThat(office.waiting(hook)).isEqualTo(3);
        well.set(true);
        office.letPausesPass();
        await(() -> office.waiting(hook) == 0, SOON);

        assertThat(receiver.positions()).containsExactly(1L, 2L, 4L, 6L, 1L, 3L, 5L);
        assertThat(receiver.messages.get(4).header("webhook-id"))
                .isEqualTo(receiver.messages.getFirst().header("webhook-id"));
        assertThat(office.dead(hook)).isZero();
    }

    @Test
    void the_last_failed_attempt_makes_a_dead_letter_and_unblocks_the_lease() {
        receiver.answer =
                message ->
                        new Answer(
                                message.position() == 1 ? 500 : 200,
                                Map.of(),
                                "an answer that nobody keeps");
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 2, "lease-1");
        office.awaitProcessed(hook);
        for (int tries = 1; tries <= WebhookFixture.PAUSES.size(); tries++) {
            awaitMessages(tries);
            int before = tries;
            await(
                    () ->
                            office.number(
                                            "SELECT attempts FROM webhook_letter"
                                                    + " WHERE position = 1")
                                    == before,
                    SOON);
            office.letPausesPass();
        }
        await(() -> office.waiting(hook) == 0, SOON);

        assertThat(receiver.positions()).containsExactly(1L, 1L, 1L, 2L);
        assertThat(office.dead(hook)).isEqualTo(1);
        Map<String, Object> letter =
                office.database.jdbc().queryForMap("SELECT * FROM webhook_letter");
        assertThat(letter)
                .containsEntry("attempts", 3)
                .containsEntry("status", 500)
                .containsEntry("failure", "The receiver answered 500.")
                .containsEntry("next_at", null);
        assertThat(letter.toString()).doesNotContain("nobody keeps");
    }

    @Test
    void the_backoff_grows_and_has_jitter() {
        receiver.answer = _ -> new Answer(500);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, "a", "b", "c");
        office.awaitProcessed(hook);

        List<Double> first = pauses();
        assertThat(first).hasSize(3).doesNotHaveDuplicates().allMatch(p -> p > 0.89 && p < 1.11);
        office.letPausesPass();
        await(
                () -> office.number("SELECT count(*) FROM webhook_letter WHERE attempts = 2") == 3,
                SOON);
        assertThat(pauses()).hasSize(3).allMatch(p -> p > 1.78 && p < 2.22);
    }

    /** Returns the pauses in hours. */
    private static List<Double> pauses() {
        return office.database
                .client()
                .sql("SELECT extract(epoch FROM next_at - last_at) / 3600 FROM webhook_letter")
                .query(Double.class)
                .list();
    }

    @Test
    void an_unreachable_receiver_limits_the_queue_and_gets_all_events_later() throws Exception {
        int port = receiver.port();
        receiver.close();
        UUID hook = office.hook("p1", "http://127.0.0.1:" + port + "/");
        Node node = office.start();
        office.live("p1", 2, leases("lease-", 40));
        await(() -> office.waiting(hook) >= WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES, SOON);
        node.stop();

        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(office.position(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(office.number("SELECT count(*) FROM webhook_letter WHERE status IS NULL"))
                .isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);

        receiver = new WebhookReceiver();
        office.database.jdbc().update("UPDATE webhook SET url = ?", receiver.url());
        office.letPausesPass();
        office.start();
        office.awaitProcessed(hook);
        await(() -> office.waiting(hook) == 0, SOON);
        assertThat(Set.copyOf(receiver.positions()))
                .isEqualTo(Set.copyOf(LongStream.rangeClosed(1, 80).boxed().toList()));
        assertEachLeaseInOrder();
    }

    /** Ignores repeats. */
    private void assertEachLeaseInOrder() {
        Map<String, Deque<Long>> last = new TreeMap<>();
        for (Message message : receiver.messages) {
            Deque<Long> delivered = last.computeIfAbsent(message.stream(), _ -> new ArrayDeque<>());
            if (!delivered.contains(message.position())) {
                assertThat(delivered).allMatch(before -> before < message.position());
                delivered.add(message.position());
            }
        }
    }

    /** Waiting events become due once the receiver accepts events again. */
    @Test
    void a_recovered_receiver_gets_waiting_events_without_backoff() {
        AtomicBoolean back = new AtomicBoolean();
        receiver.answer = _ -> new Answer(back.get() ? 200 : 502);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, leases("lease-", 30));
        await(() -> office.waiting(hook) == WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES, SOON);
        back.set(true);
        office.database
                .jdbc()
                .update("UPDATE webhook_letter SET next_at = now() WHERE position = 1");

        office.awaitProcessed(hook);
        await(() -> office.waiting(hook) == 0, SOON);
        assertThat(receiver.messages).hasSize(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES + 30);
    }

    @Test
    void an_answer_of_410_disables_the_webhook_without_losing_events() {
        receiver.answer = message -> new Answer(message.position() == 2 ? 410 : 200);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 3, "lease-1");
        await(
                () ->
                        office.number(
                                        "SELECT count(*) FROM webhook WHERE NOT enabled AND"
                                                + " disabled_because LIKE '%410%'")
                                == 1,
                SOON);
        assertThat(receiver.positions()).containsExactly(1L, 2L);
        assertThat(changes(hook))
                .containsExactly(
                        "p1 SWITCHED_OFF by engine: {\"enabled\": true} -> {\"enabled\": false,"
                                + " \"disabled_because\": \"The receiver answered 410, and wants"
                                + " no more.\"}");

        receiver.answer = _ -> new Answer(200);
        office.database.jdbc().update("UPDATE webhook SET enabled = true");
        office.awaitProcessed(hook);
        assertThat(receiver.positions()).containsExactly(1L, 2L, 2L, 3L);
    }

    /** Returns the changes as auditors see them. */
    private static List<String> changes(UUID hook) {
        return office.database
                .client()
                .sql(
                        """
                        SELECT concat(project_id, ' ', action, ' by ', user_id, authentication,
                            ': ', before, ' -> ', after)
                        FROM subscription_change WHERE subscription_id = ?
                        """)
                .param(hook)
                .query(String.class)
                .list();
    }

    /** No change is recorded either. */
    @Test
    void a_webhook_that_the_project_changed_is_not_disabled_by_the_engine() {
        UUID off = office.hook("p1", receiver.url());
        office.database.jdbc().update("UPDATE webhook SET enabled = false");
        UUID elsewhere = office.hook("p1", receiver.url());
        WebhookOffsetTable webhooks = office.node("a").webhooks();

        webhooks.switchOff(hook(off, receiver.url()), "gone");
        webhooks.switchOff(hook(elsewhere, receiver.url() + "/before"), "gone");

        assertThat(office.number("SELECT count(*) FROM webhook WHERE disabled_because = 'gone'"))
                .isZero();
        assertThat(changes(off)).isEmpty();
        assertThat(changes(elsewhere)).isEmpty();
    }

    private static EnabledWebhook hook(UUID id, String url) {
        return new EnabledWebhook(id, "p1", false, url, Set.of(), 0, List.of());
    }

    @Test
    void a_retry_after_header_pauses_the_webhook() {
        receiver.answer =
                message ->
                        message.position() == 1
                                ? new Answer(429, Map.of("Retry-After", "7200"), "")
                                : new Answer(200);
        UUID hook = office.hook("p1", receiver.url());
        Node node = office.start();
        office.live("p1", 1, "a", "b");
        await(() -> office.waiting(hook) == 1, SOON);
        await(
                () ->
                        office.number(
                                        "SELECT count(*) FROM webhook WHERE resting_until"
                                                + " BETWEEN now() + interval '110 min'"
                                                + " AND now() + interval '121 min'")
                                == 1,
                SOON);
        assertThat(pauses().getFirst()).isBetween(1.99, 2.01);
        assertThat(node.webhooks().findReady()).isEmpty();
        assertThat(office.position(hook)).isEqualTo(1);

        office.database.jdbc().update("UPDATE webhook SET resting_until = now()");
        office.awaitProcessed(hook);
        assertThat(receiver.positions()).containsExactly(1L, 2L);
    }

    /** The request is sent before the URL changes, and its response comes after. */
    @Test
    void a_retry_after_header_of_a_former_url_is_ignored() {
        CountDownLatch moved = new CountDownLatch(1);
        receiver.answer =
                _ -> {
                    awaitLatch(moved);
                    return new Answer(503, Map.of("Retry-After", "86400"), "");
                };
        try (WebhookReceiver other = new WebhookReceiver()) {
            UUID hook = office.hook("p1", receiver.url());
            office.start();
            office.live("p1", 1, "a", "b");
            awaitMessages(1);
            office.database.jdbc().update("UPDATE webhook SET url = ?", other.url());
            moved.countDown();
            office.awaitProcessed(hook);

            assertThat(other.positions()).containsExactly(2L);
            assertThat(pauses()).hasSize(1).allMatch(pause -> pause < 1.11);
        } finally {
            moved.countDown();
        }
    }

    @Test
    void a_receiver_that_repeats_retry_after_counts_as_unreachable() throws InterruptedException {
        receiver.answer = _ -> new Answer(503, Map.of("Retry-After", "7200"), "");
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, leases("lease-", 2 * WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES));
        for (int i = 1; i <= WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES; i++) {
            int asked = i;
            await(() -> office.waiting(hook) == asked, SOON);
            await(() -> office.number(RESTING) == 1, SOON);
            office.database.jdbc().update("UPDATE webhook SET resting_until = now()");
        }

        // Longer than the interval between polls.
        Thread.sleep(1_500);
        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(receiver.messages).hasSize(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
    }

    @Test
    void failing_leases_do_not_stop_the_events_of_a_new_lease() {
        int sick = WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES - 1;
        receiver.answer = message -> new Answer(message.stream().startsWith("sick") ? 400 : 200);
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 1, leases("sick-", sick));
        office.awaitProcessed(hook);
        office.letPausesPass();
        awaitMessages(2 * sick);

        office.live("p1", 1, "sound");
        office.awaitProcessed(hook);
        assertThat(receiver.messages.getLast().stream()).isEqualTo("sound");
        assertThat(office.waiting(hook)).isEqualTo(sick);
    }

    @Test
    void a_full_queue_gives_up_the_delivery_with_the_largest_attempt_count() {
        receiver.answer = message -> new Answer(message.position() <= 2 ? 400 : 200);
        UUID hook = office.hook("p1", receiver.url());
        WebhookDispatcher courier = office.node("a").courier();
        office.live("p1", 1, "sick", "sicker", "sicker");
        courier.deliverPending(hook, () -> true);
        execute("UPDATE webhook_letter SET step = 5, attempts = 6 WHERE position = 2");
        office.layBy(hook, WebhookDispatcher.MAX_WAITING - 3, 4);
        office.live("p1", 1, "sound", "sicker");

        workOff(courier, hook);

        // Events behind it follow later, in order; new events do not wait for it.
        assertThat(receiver.positions()).containsExactly(1L, 2L, 4L, 3L, 5L);
        assertThat(office.position(hook)).isEqualTo(5);
        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.MAX_WAITING - 2);
        assertThat(
                        office.database
                                .jdbc()
                                .queryForMap("SELECT * FROM webhook_letter WHERE next_at IS NULL"))
                .containsEntry("position", 2L)
                .containsEntry("attempts", 6)
                .containsEntry("failure", "The receiver answered 400.");
    }

    private static void execute(String statement) {
        office.database.jdbc().update(statement);
    }

    /** Works until no event is left for now. */
    private static void workOff(WebhookDispatcher courier, UUID hook) {
        do {
            assertThat(office.waiting(hook)).isLessThanOrEqualTo(WebhookDispatcher.MAX_WAITING);
        } while (courier.deliverPending(hook, () -> true));
    }

    @Test
    void a_full_queue_gives_up_the_oldest_of_deliveries_with_equal_attempts() {
        receiver.answer = _ -> new Answer(400);
        UUID hook = office.hook("p1", receiver.url());
        office.layBy(hook, WebhookDispatcher.MAX_WAITING, 1);
        office.live("p1", 1, "a", "b", "c");

        workOff(office.node("a").courier(), hook);

        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.MAX_WAITING);
        assertThat(givenUp()).containsExactly(-1000L, -999L, -998L);
    }

    private static List<Long> givenUp() {
        return office.database
                .client()
                .sql("SELECT position FROM webhook_letter WHERE next_at IS NULL ORDER BY position")
                .query(Long.class)
                .list();
    }

    @Test
    void a_full_queue_gives_up_no_delivery_to_an_unreachable_receiver() {
        receiver.answer = _ -> new Answer(502);
        UUID hook = office.hook("p1", receiver.url());
        WebhookDispatcher courier = office.node("a").courier();
        office.layBy(
                hook,
                WebhookDispatcher.MAX_WAITING - WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES,
                1);
        office.live("p1", 1, leases("lease-", 3 * WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES));

        workOff(courier, hook);

        assertThat(office.waiting(hook)).isEqualTo(WebhookDispatcher.MAX_WAITING);
        assertThat(givenUp()).isEmpty();
        assertThat(office.position(hook)).isEqualTo(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
        assertThat(receiver.messages).hasSize(WebhookDispatcher.UNAVAILABLE_AFTER_FAILURES);
    }

    /** A requested retry must not become a dead letter before its attempt. */
    @Test
    void a_full_queue_gives_up_no_delivery_without_an_attempt() {
        UUID hook = office.hook("p1", receiver.url());
        WebhookDispatcher courier = office.node("a").courier();
        office.layBy(hook, WebhookDispatcher.MAX_WAITING, 0);
        office.live("p1", 1, "sound");

        workOff(courier, hook);
        assertThat(givenUp()).isEmpty();
        assertThat(receiver.messages).isEmpty();

        execute("UPDATE webhook_letter SET step = 1 WHERE position = -7");
        workOff(courier, hook);
        assertThat(givenUp()).containsExactly(-7L);
        assertThat(receiver.positions()).containsExactly(1L);
    }

    private static String[] leases(String name, int count) {
        return IntStream.range(0, count).mapToObj(lease -> name + lease).toArray(String[]::new);
    }

    @Test
    void a_redirect_is_not_followed() {
        try (WebhookReceiver other = new WebhookReceiver()) {
            receiver.answer = _ -> new Answer(307, Map.of("Location", other.url()), "");
            UUID hook = office.hook("p1", receiver.url());
            office.start();
            office.live("p1", 1, "lease-1");
            office.awaitProcessed(hook);

            assertThat(other.messages).isEmpty();
            assertThat(office.number("SELECT status FROM webhook_letter")).isEqualTo(307);
        }
    }

    @Test
    void a_huge_answer_does_not_stop_deliveries() {
        receiver.answer = _ -> new Answer(200, Map.of(), "x".repeat(10_000_000));
        UUID hook = office.hook("p1", receiver.url());
        office.start();
        office.live("p1", 3, "lease-1");
        office.awaitProcessed(hook);

        assertThat(receiver.positions()).containsExactly(1L, 2L, 3L);
        assertThat(office.waiting(hook)).isZero();
    }

    @Test
    void a_silent_receiver_times_out_and_does_not_delay_other_receivers() {
        CountDownLatch end = new CountDownLatch(1);
        receiver.answer =
                _ -> {
                    awaitLatch(end);
                    return new Answer(200);
                };
        try (WebhookReceiver quick = new WebhookReceiver()) {
            UUID slow = office.hook("p1", receiver.url());
            UUID other = office.hook("p1", quick.url());
            office.start();
            office.live("p1", 5, "lease-1");
            office.awaitProcessed(other);

            // Its first message is still running, or has just been cancelled.
            assertThat(quick.positions()).containsExactly(1L, 2L, 3L, 4L, 5L);
            await(() -> office.waiting(slow) == 5, SOON);
            assertThat(
                            office.number(
                                    "SELECT count(*) FROM webhook_letter WHERE failure = ?",
                                    "There was no answer in time."))
                    .isEqualTo(1);
        } finally {
            end.countDown();
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The name had a permitted address at the first check. */
    @Test
    void a_host_rebound_to_a_forbidden_address_is_not_contacted() {
        AtomicBoolean rebound = new AtomicBoolean();
        WebhookSettings settings =
                new WebhookSettings(
                        20,
                        List.of("127.0.0.2/32"),
                        true,
                        Duration.ofHours(24),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        WebhookFixture.PAUSES);
        HostResolver names =
                _ ->
                        new InetAddress[] {
                            InetAddress.getByName(
                                    rebound.getAndSet(true) ? "127.0.0.1" : "127.0.0.2")
                        };
        UUID hook = office.hook("p1", "http://hooks.example.org:" + receiver.port() + "/");
        Node node = office.node("a", names, settings);
        assertThat(
                        new ConfiguredWebhookRules(
                                        settings,
                                        new PermittedAddressResolver(
                                                names,
                                                new DestinationPolicy(settings.allowedNetworks())))
                                .findObjection("http://hooks.example.org/"))
                .isEmpty();
        node.deliveries().start();
        office.live("p1", 1, "lease-1");
        office.awaitProcessed(hook);

        assertThat(receiver.messages).isEmpty();
        assertThat(
                        office.database
                                .client()
                                .sql("SELECT failure FROM webhook_letter")
                                .query(String.class)
                                .single())
                .isEqualTo("The host has no known addresses, or not all of them are permitted.");
    }

    @Test
    void one_of_two_nodes_delivers_and_the_other_takes_over() {
        UUID hook = office.hook("p1", receiver.url());
        Node a = office.node("a");
        Node b = office.node("b");
        a.deliveries().start();
        office.live("p1", 2, "lease-1");
        office.awaitProcessed(hook);
        b.deliveries().start();
        office.live("p1", 20, "lease-1", "lease-2");
        office.awaitProcessed(hook);
        assertThat(office.readSide.owner()).startsWith("a ");

        a.stop();
        office.live("p1", 20, "lease-1", "lease-2");
        office.awaitProcessed(hook);

        assertThat(office.readSide.owner()).startsWith("b ");
        assertThat(receiver.positions()).isEqualTo(LongStream.rangeClosed(1, 82).boxed().toList());
    }

    /** The node has sent a message, and stops until another has long continued. */
    @Test
    void an_outdated_node_repeats_a_delivery_but_does_not_move_the_offset()
            throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        receiver.answer =
                message -> {
                    if (first.getAndSet(false)) {
                        awaitLatch(end);
                    }
                    return new Answer(message.position() == 3 ? 500 : 200);
                };
        UUID hook = office.hook("p1", receiver.url());
        office.live("p1", 4, "lease-1");
        Node frozen = office.node("a");
        Thread zombie =
                Thread.ofVirtual().start(() -> frozen.courier().deliverPending(hook, () -> true));
        awaitMessages(1);

        assertThat(office.node("b").courier().deliverPending(hook, () -> true)).isTrue();
        assertThat(office.position(hook)).isEqualTo(4);
        end.countDown();
        zombie.join();

        assertThat(office.position(hook)).isEqualTo(4);
        assertThat(receiver.positions()).containsExactly(1L, 1L, 2L, 3L);
        assertThat(office.waiting(hook)).isEqualTo(2);
    }

    /** No event is missing, whatever was running. */
    @Test
    void a_crash_between_answer_and_saved_offset_repeats_the_delivery() {
        UUID hook = office.hook("p1", receiver.url());
        office.database
                .jdbc()
                .execute(
                        """
                        CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                            'BEGIN RAISE EXCEPTION ''killed''; END';
                        CREATE TRIGGER die BEFORE UPDATE ON webhook FOR EACH ROW
                            WHEN (new.position = 2) EXECUTE FUNCTION die();
                        """);
        office.live("p1", 3, "lease-1");
        try {
            assertThatThrownBy(() -> office.node("a").courier().deliverPending(hook, () -> true))
                    .hasMessageContaining("killed");
        } finally {
            office.database.jdbc().execute("DROP FUNCTION die CASCADE");
        }

        assertThat(office.node("b").courier().deliverPending(hook, () -> true)).isTrue();

        assertThat(receiver.positions()).containsExactly(1L, 2L, 2L, 3L);
        assertThat(office.position(hook)).isEqualTo(3);
    }

    @Test
    void events_behind_a_failed_delivery_respect_the_queue_limit() {
        int events = WebhookDispatcher.MAX_WAITING + 5;
        receiver.answer = message -> new Answer(message.position() == 1 ? 500 : 200);
        UUID hook = office.hook("p1", receiver.url());
        office.live("p1", events, "lease-1");

        workOff(office.node("a").courier(), hook);

        assertThat(givenUp()).containsExactly(1L);
        assertThat(receiver.positions())
                .isEqualTo(LongStream.rangeClosed(1, events).boxed().toList());
    }

    @Test
    void the_text_of_a_webhook_contains_no_secret_and_no_url_token() {
        UUID id = office.hook("p1", receiver.url() + "?token=s3cr3t");
        EnabledWebhook hook = office.node("a").webhooks().webhook(id).orElseThrow();

        assertThat(hook.secrets()).containsExactly(SECRET);
        assertThat(hook.toString()).doesNotContain("whsec").doesNotContain("s3cr3t");
    }
}
