package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tests which tokens of Keystone are valid, and the responses to others. */
class KeystoneTokensIT extends KeystoneFixture {

    @ParameterizedTest
    @ValueSource(strings = {"/v1/leases", "/", "/api/leases", "/nowhere"})
    void a_request_without_a_valid_token_answers_401_with_the_keystone_url(String path) {
        String keystone = "Keystone uri=\"" + cloud.settings().get("auth-url") + "\"";
        for (String token : new String[] {null, "garbage", "with spaces in it"}) {
            HttpResponse<String> answer = ask("GET", path, token, null);

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains(keystone);
        }
    }

    @Test
    void a_401_response_has_the_body_of_openstack_services() {
        assertThat(JSON.readTree(ask("GET", "/v1/leases", "garbage", null).body()))
                .isEqualTo(
                        JSON.valueToTree(
                                Map.of(
                                        "error",
                                        Map.of(
                                                "code",
                                                401,
                                                "title",
                                                "Unauthorized",
                                                "message",
                                                "The request you have made requires"
                                                        + " authentication."))));
    }

    @Test
    void an_unscoped_token_answers_401_and_an_unusable_scope_or_role_403() {
        cloud.token("unscoped", token("u-demo", "nothing", Map.of()));
        cloud.token("domain", token("u-admin", "domain", Map.of("id", "default"), "admin"));
        cloud.token("system", token("u-demo", "system", Map.of("all", true), "heat_stack_owner"));
        cloud.token("roleless", token("u-demo", "project", DEMO, "heat_stack_owner"));

        assertThat(status("GET", "/v1/leases", "unscoped")).isEqualTo(401);
        assertThat(status("GET", "/api/leases", "unscoped")).isEqualTo(401);
        Map<String, String> reasons =
                Map.of(
                        "domain", "the token is of a domain, and nothing here is",
                        "system", "no role of the token reads in the system",
                        "roleless", "no role of the token has a meaning here");
        reasons.forEach(
                (token, reason) -> {
                    for (String path : Set.of("/v1/leases", "/api/leases")) {
                        HttpResponse<String> answer = ask("GET", path, token, null);
                        assertThat(answer.statusCode()).isEqualTo(403);
                        assertThat(answer.body())
                                .contains(":leases:get to be performed: " + reason);
                    }
                    assertThat(ask("POST", "/v1/leases", token, wish("no")).statusCode())
                            .isEqualTo(403);
                    assertThat(status("GET", "/nowhere", token)).isEqualTo(404);
                });
    }

    @Test
    void a_revoked_token_answers_401() {
        cloud.token("leaving", token("u-leaving", "project", DEMO, "member"));
        assertThat(status("GET", "/v1/leases", "leaving")).isEqualTo(200);

        cloud.token("leaving", null);
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        cloud.answer(
                "identity",
                request ->
                        Said.json(
                                200,
                                Map.of(
                                        "events",
                                        List.of(
                                                Map.of(
                                                        "user_id", "u-leaving",
                                                        "issued_before", now,
                                                        "revoked_at", now)))));

        Await.until("refused", () -> status("GET", "/v1/leases", "leaving") == 401);
    }

    @ParameterizedTest
    @CsvSource({"503", "500", "0"})
    void a_keystone_outage_answers_503_to_unknown_tokens_only(int how) {
        assertThat(status("GET", "/v1/leases", "demo")).isEqualTo(200);
        cloud.keystone(
                request -> {
                    if (how == 0) {
                        throw new IOException("cut");
                    }
                    return Said.nothing(how);
                });
        String unknown = "not-asked-about-" + how;

        assertThat(status("GET", "/v1/leases", "demo")).isEqualTo(200);
        for (String path : Set.of("/v1/leases", "/api/leases")) {
            HttpResponse<String> answer = ask("GET", path, unknown, null);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(answer.body()).contains("Keystone");
        }
        assertThat(status("GET", "/actuator/health/readiness", null)).isEqualTo(200);

        cloud.keystone(null);
        assertThat(status("GET", "/v1/leases", unknown)).isEqualTo(401);
    }

    @Test
    void a_password_login_answers_401_and_no_password_file_is_created() {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address("/v1/leases"))
                        .header("Authorization", "Basic ZGVtbzpkZW1v");

        assertThat(send(request).statusCode()).isEqualTo(401);
        assertThat(Files.exists(folder.resolve("clouds.yaml"))).isFalse();
    }
}
