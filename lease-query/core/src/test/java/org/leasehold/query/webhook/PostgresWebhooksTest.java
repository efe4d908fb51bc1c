package org.leasehold.query.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.readmodel.subscription.SubscriptionOutcome.MADE;

import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.subscription.Webhooks.Change;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The webhooks of projects, and their limit. */
class PostgresWebhooksTest extends PostgresWebhooksFixture {

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

    private long count(String table) {
        return database.client().sql("SELECT count(*) FROM " + table).query(Long.class).single();
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
