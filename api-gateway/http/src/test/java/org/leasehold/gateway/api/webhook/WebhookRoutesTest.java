package org.leasehold.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.command.CommandContext;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.readmodel.subscription.Webhooks.DeadLetter;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** The webhooks of projects: their creation, changes and deletion. */
@ApiTest
class WebhookRoutesTest extends WebhookRoutesFixture {

    @Test
    void only_administrators_create_webhooks_for_all_projects() {
        Answer refused = send("member", ", \"scope\": \"all\"");
        JsonNode made = make("admin", ", \"scope\": \"all\"");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.names("scope")).isTrue();
        assertThat(made.at("/webhook/scope").asString()).isEqualTo("all");
        assertThat(webhooks.byId.get(id(made)).order().everything()).isTrue();
    }

    @Test
    void only_the_project_and_administrators_access_a_webhook() {
        JsonNode made = make("member", "");
        String hook = path(made);

        for (Function<String, Answer> request : requests(hook)) {
            Answer strangers = request.apply("stranger");
            assertThat(strangers.status()).as(strangers.toString()).isEqualTo(404);
        }
        assertThat(client.get("stranger", WEBHOOKS).json().path("webhooks")).isEmpty();
        assertThat(client.get("admin", WEBHOOKS).json().path("webhooks")).hasSize(1);
        assertThat(client.get("member", hook).json()).isEqualTo(made.path("webhook"));
        assertThat(webhooks.secrets.get(id(made))).hasSize(1);
        for (Function<String, Answer> request : requests(hook)) {
            Answer admins = request.apply("admin");
            assertThat(admins.status()).as(admins.toString()).isNotEqualTo(404);
        }
    }

    private List<Function<String, Answer>> requests(String hook) {
        return List.of(
                user -> client.get(user, hook),
                user -> client.send(user, "PATCH", hook, "{\"enabled\": false}"),
                // No caller causes a DNS lookup through another project's webhook.
                user ->
                        client.send(
                                user,
                                "PATCH",
                                hook,
                                "{\"url\": \"https://internal.example.org/\"}"),
                user -> client.send(user, "POST", hook + "/secret", null),
                user -> client.get(user, hook + "/dead-letters"),
                user -> client.send(user, "POST", hook + "/dead-letters/9/retry", null),
                user -> client.send(user, "POST", hook + "/retry", null),
                user -> client.send(user, "DELETE", hook, null));
    }

    @Test
    void a_webhook_is_changed_by_field_and_can_be_deleted() {
        String hook = path(make("member", ", \"types\": [\"LeaseEnded\"], \"description\": \"x\""));

        Answer off = client.send("member", "PATCH", hook, "{\"enabled\": false}");
        assertThat(off.json().path("enabled").asBoolean()).isFalse();
        assertThat(off.json().path("description").asString()).isEqualTo("x");
        Answer other =
                client.send(
                        "member",
                        "PATCH",
                        hook,
                        "{\"url\": \"https://b.example.org/\", \"types\": [], \"description\":"
                                + " \"\"}");
        assertThat(other.json().path("url").asString()).isEqualTo("https://b.example.org/");
        assertThat(other.json().path("types")).isEmpty();
        assertThat(other.json().path("description").isNull()).isTrue();
        assertThat(other.json().path("enabled").asBoolean()).isFalse();
        assertThat(client.send("member", "DELETE", hook, null).status()).isEqualTo(204);
        assertThat(client.get("member", hook).status()).isEqualTo(404);
        assertThat(client.send("member", "DELETE", hook, null).status()).isEqualTo(404);
    }

    @Test
    void a_webhook_beyond_the_limit_of_a_project_answers_409() {
        webhooks.maxWebhooks = 1;
        make("member", "");

        Answer refused = send("member", "");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("type").asString()).isEqualTo("/problems/too-many-webhooks");
        make("stranger", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://hooks.example.org/ | must begin with https://",
                "https://internal.example.org/ | must have a host with known addresses, all of them"
                        + " permitted"
            })
    void a_forbidden_url_is_rejected_with_the_reason(String url, String why) {
        String body = "{\"url\": \"%s\"}".formatted(url);
        Answer refused = client.send("member", "POST", WEBHOOKS, body);
        Answer changed = client.send("member", "PATCH", path(make("member", "")), body);

        for (Answer answer : List.of(refused, changed)) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.names("url")).as(answer.toString()).isTrue();
            assertThat(answer.json().path("detail").asString()).isEqualTo("url " + why);
        }
        assertThat(webhooks.byId.values()).allMatch(hook -> hook.order().url().equals(URL));
    }

    @Test
    void dead_letters_are_listed_page_by_page_and_can_be_retried() {
        String hook = path(make("member", ""));
        for (long position : new long[] {3, 5, 8}) {
            webhooks.dead.add(
                    new DeadLetter(
                            position,
                            new UUID(0, position),
                            "LeaseEnded",
                            10,
                            position == 3 ? null : 500,
                            "it went wrong",
                            ApiTestServer.NOW,
                            ApiTestServer.NOW));
        }

        Answer firstPage = client.get("member", hook + "/dead-letters?limit=2");
        JsonNode first = firstPage.json();
        JsonNode second = client.get("member", hook + "/dead-letters?limit=2&marker=5").json();

        assertThat(first.at("/dead_letters/0/status").isNull()).isTrue();
        assertThat(first.at("/dead_letters/1/status").asInt()).isEqualTo(500);
        assertThat(first.path("next").asString()).isEqualTo("5");
        assertThat(firstPage.header("Link"))
                .isEqualTo("<" + hook + "/dead-letters?limit=2&marker=5>; rel=\"next\"");
        assertThat(second.at("/dead_letters/0/position").asLong()).isEqualTo(8);
        assertThat(second.path("next").isNull()).isTrue();
        String five = hook + "/dead-letters/5/retry";
        assertThat(client.send("member", "POST", five, null).status()).isEqualTo(204);
        assertThat(client.send("member", "POST", five, null).status()).isEqualTo(409);
        assertThat(webhooks.dead).extracting(DeadLetter::position).containsExactly(3L, 8L);
        assertThat(client.send("member", "POST", hook + "/retry", null).status()).isEqualTo(204);
        assertThat(webhooks.dead).isEmpty();
    }

    @Test
    void the_user_origin_and_reason_of_a_change_are_passed_on() {
        JsonNode made = make("member", "");
        String hook = path(made);
        webhooks.dead.add(
                new DeadLetter(
                        5,
                        new UUID(0, 5),
                        "LeaseEnded",
                        10,
                        500,
                        "it went wrong",
                        ApiTestServer.NOW,
                        ApiTestServer.NOW));
        webhooks.by.clear();

        List<String> requests =
                List.of(
                        done("POST", WEBHOOKS, "{\"url\": \"%s\"}".formatted(URL)),
                        done("PATCH", hook, "{\"enabled\": false}"),
                        done("POST", hook + "/secret", null),
                        done("POST", hook + "/dead-letters/5/retry", null),
                        done("POST", hook + "/retry", null),
                        done("DELETE", hook, null));

        assertThat(webhooks.by)
                .extracting(CommandContext::requestId)
                .containsExactlyElementsOf(requests);
        assertThat(webhooks.by)
                .allSatisfy(
                        by -> {
                            assertThat(by.user()).isEqualTo("u-member");
                            assertThat(by.project()).isEqualTo("p1");
                            assertThat(by.reason()).isEqualTo("billing asked");
                            assertThat(by.origin())
                                    .isEqualTo(RequestOrigin.of("127.0.0.1", "a client"));
                        });
    }

    /** Returns the id of the request. */
    private String done(String method, String path, @Nullable String body) {
        Answer answer =
                client.send(
                        client.request("member", path)
                                .header("Leasehold-Reason", "billing asked")
                                .header("User-Agent", "a client"),
                        method,
                        body);
        assertThat(answer.status()).as(answer.toString()).isLessThan(300);
        return answer.header("x-openstack-request-id");
    }
}
