package org.leasehold.query.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.by;
import static org.leasehold.query.subscription.RecordedSubscriptionChanges.underKey;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.KEY_REUSED;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.TOO_MANY;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.query.subscription.RecordedSubscriptionChanges;
import org.leasehold.readmodel.subscription.Webhooks.Change;
import org.leasehold.readmodel.subscription.Webhooks.Order;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;
import org.springframework.dao.DataAccessException;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The changes of webhooks that auditors see. */
class RecordedWebhookChangesTest extends PostgresWebhooksFixture {

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
}
