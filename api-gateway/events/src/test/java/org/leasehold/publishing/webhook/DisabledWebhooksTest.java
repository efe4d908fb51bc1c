package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.publishing.EventFeedFixture.await;
import static org.leasehold.publishing.webhook.WebhookFixture.WAIT_LIMIT;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.webhook.WebhookReceiver.Answer;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Webhooks that the engine disables. */
class DisabledWebhooksTest extends WebhookDeliveryFixture {

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
                WAIT_LIMIT);
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
    private List<String> changes(UUID hook) {
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
}
