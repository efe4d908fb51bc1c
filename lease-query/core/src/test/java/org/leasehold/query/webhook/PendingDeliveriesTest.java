package org.leasehold.query.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.subscription.Webhooks.Change;
import org.leasehold.readmodel.subscription.Webhooks.DeadLetter;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The waiting deliveries and the dead letters of a webhook. */
class PendingDeliveriesTest extends PostgresWebhooksFixture {

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

    private List<Long> due() {
        return database.client()
                .sql(
                        "SELECT position FROM webhook_letter WHERE next_at <= clock_timestamp()"
                                + " ORDER BY position")
                .query(Long.class)
                .list();
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

    private boolean isResting() {
        return database.client()
                .sql("SELECT resting_until IS NOT NULL FROM webhook")
                .query(Boolean.class)
                .single();
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
}
