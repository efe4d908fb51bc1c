package org.leasehold.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.readmodel.event.EventFeed.Question;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The events that a webhook receives. */
@ApiTest
class WebhookEventTypesTest extends WebhookRoutesFixture {

    @Test
    void a_published_event_equals_the_event_in_the_feed() {
        feed.forget();
        feed.happened("p1", "LeaseRequested", "{\"projectId\": \"p1\", \"seq\": 1.50}");

        String members = client.get("member", "/api/events").response().body();
        String admins = client.get("admin", "/api/events").response().body();

        var event =
                feed.next(new Question(0, new Audience(null, true), Set.of(), 1))
                        .entries()
                        .getFirst();
        assertThat(members)
                .contains(
                        new String(
                                published.serializerForProjects().apply(event),
                                StandardCharsets.UTF_8));
        assertThat(admins)
                .contains(
                        new String(
                                published.serializerForOperators().apply(event),
                                StandardCharsets.UTF_8));
    }

    @Test
    void a_webhook_accepts_only_known_types_by_short_or_prefixed_name() {
        String wish = "{\"url\": \"%s\", \"types\": [\"LeaseEnded\", \"%s\"]}";
        Answer made =
                client.send(
                        "member",
                        "POST",
                        WEBHOOKS,
                        wish.formatted(URL, "org.leasehold.LeaseDeleted"));
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.json().at("/webhook/types").toString())
                .contains("\"LeaseDeleted\"", "\"LeaseEnded\"");

        Answer refused =
                client.send("member", "POST", WEBHOOKS, wish.formatted(URL, "LeaseFinished"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.names("types[1]")).isTrue();
        String hook = WEBHOOKS + "/" + made.json().at("/webhook/id").asString();
        assertThat(
                        client.send("member", "PATCH", hook, "{\"types\": [\"Nonsense\"]}")
                                .names("types[0]"))
                .isTrue();
    }
}
