package org.leasehold.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import java.util.Base64;
import java.util.List;

/** The secrets of webhooks. */
@ResourceLock(Resources.SYSTEM_OUT)
@ExtendWith(OutputCaptureExtension.class)
@ApiTest
class WebhookSecretRoutesTest extends WebhookRoutesFixture {

    @Test
    void the_secret_of_a_webhook_is_shown_only_at_creation(CapturedOutput output) {
        JsonNode made =
                make("member", ", \"types\": [\"LeaseActivated\"], \"description\": \"billing\"");

        String secret = made.path("secret").asString();
        assertThat(secret).matches("whsec_[A-Za-z0-9+/]{43}=");
        assertThat(Base64.getDecoder().decode(secret.substring(6))).hasSize(32);
        Answer shown = client.get("member", path(made));
        assertThat(shown.json()).isEqualTo(made.path("webhook"));
        assertThat(shown.json().path("url").asString()).isEqualTo(URL);
        assertThat(shown.json().path("scope").asString()).isEqualTo("project");
        assertThat(shown.json().path("enabled").asBoolean()).isTrue();
        assertThat(shown.json().at("/types/0").asString()).isEqualTo("LeaseActivated");
        assertThat(shown.json().path("user").asString()).isEqualTo("u-member");
        Answer listed = client.get("member", WEBHOOKS);
        assertThat(listed.json().path("webhooks")).containsExactly(shown.json());
        assertThat(List.of(shown.toString(), listed.toString()))
                .noneMatch(text -> text.contains(secret));
        assertThat(output.getAll()).doesNotContain(secret).doesNotContain("s3cr3t");
        assertThat(make("member", "").path("secret").asString()).isNotEqualTo(secret);
    }

    @Test
    void the_former_secret_stays_stored_beside_the_new_secret(CapturedOutput output) {
        JsonNode made = make("member", "");

        Answer replaced = client.send("member", "POST", path(made) + "/secret", null);

        String secret = replaced.json().path("secret").asString();
        assertThat(replaced.status()).as(replaced.toString()).isEqualTo(200);
        assertThat(replaced.json().path("former_until").asString())
                .isEqualTo("2026-11-22T00:33:30Z");
        assertThat(webhooks.secrets.get(id(made)))
                .containsExactly(made.path("secret").asString(), secret);
        assertThat(output.getAll()).doesNotContain(secret);
    }

    @Test
    void a_request_repeated_under_a_key_renews_the_secret_of_the_webhook() {
        JsonNode lost = makeUnderKey("member", URL).json();
        JsonNode repeated = makeUnderKey("member", URL).json();

        assertThat(repeated.path("webhook")).isEqualTo(lost.path("webhook"));
        assertThat(webhooks.secrets.get(id(lost)))
                .containsExactly(repeated.path("secret").asString());
        assertThat(repeated.path("secret")).isNotEqualTo(lost.path("secret"));
    }

    private Answer makeUnderKey(String user, String url) {
        return client.send(
                client.request(user, WEBHOOKS).header("Idempotency-Key", "k"),
                "POST",
                "{\"url\": \"%s\"}".formatted(url));
    }

    @Test
    void a_key_cannot_be_reused_for_another_request() {
        JsonNode first = makeUnderKey("member", URL).json();

        for (Answer reused :
                List.of(makeUnderKey("member", URL + "2"), makeUnderKey("colleague", URL))) {
            assertThat(reused.status()).as(reused.toString()).isEqualTo(422);
            assertThat(reused.json().path("type").asString())
                    .isEqualTo("/problems/idempotency-key-reused");
            assertThat(reused.json().path("detail").asString()).contains(" k ");
        }
        assertThat(webhooks.byId).containsOnlyKeys(id(first));
        assertThat(webhooks.secrets.get(id(first)))
                .containsExactly(first.path("secret").asString());
        assertThat(makeUnderKey("stranger", URL).status()).isEqualTo(201);
    }
}
