package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.net.http.HttpRequest.BodyPublishers;

/** Requests that have an effect only for a given state of their resource. */
@ApiTest
class ConditionalRequestsTest {

    private static final String STALE = "\"7\"";
    private static final String UNKNOWN_ID = "00000000-0000-0000-0000-000000000009";

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;
    private String lease;

    @BeforeEach
    void a_lease_exists() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
        Answer created =
                client.send(
                        "member",
                        "POST",
                        "/v1/leases",
                        """
                        {"name": "a", "start_date": "2026-11-22 08:00",
                         "end_date": "2026-11-22 10:00", "reservations": [
                          {"resource_type": "physical:host", "min": 1, "max": 2,
                           "hypervisor_properties": "", "resource_properties": ""}]}
                        """);
        assertThat(created.header("ETag")).isEqualTo("\"1\"");
        lease = "/v1/leases/" + created.json().at("/lease/id").asString();
    }

    private Answer change(String tag, String body) {
        return client.send(client.request("member", lease).header("If-Match", tag), "PUT", body);
    }

    private String name() {
        return client.get("member", lease).json().at("/lease/name").asString();
    }

    @Test
    void a_lease_has_one_tag_in_both_apis() {
        Answer changed = change("\"1\"", "{\"name\": \"b\"}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.header("ETag")).isEqualTo("\"2\"");
        assertThat(client.get("member", lease).header("ETag")).isEqualTo("\"2\"");
        assertThat(client.get("member", lease.replace("/v1", "/api")).header("ETag"))
                .isEqualTo("\"2\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {STALE, "1", "W/\"1\"", "\"\"", "", "\"2\", \"3\""})
    void the_blazar_api_answers_412_without_a_current_if_match_tag(String tag) {
        for (String body : new String[] {"{\"name\": \"b\"}", "{\"name\": \"a\"}", "{}"}) {
            Answer refused = change(tag, body);
            assertThat(refused.status()).as(body).isEqualTo(412);
            assertThat(refused.json().path("error_code").asInt()).isEqualTo(412);
        }
        assertThat(name()).isEqualTo("a");
        assertThat(delete(tag).status()).isEqualTo(412);
        assertThat(client.get("member", lease).status()).isEqualTo(200);
    }

    private Answer delete(String tag) {
        return client.send(client.request("member", lease).header("If-Match", tag), "DELETE", null);
    }

    @Test
    void the_blazar_api_changes_a_lease_with_a_matching_if_match_tag() {
        assertThat(change("\"9\", \"1\"", "{\"name\": \"b\"}").status()).isEqualTo(200);
        assertThat(change("*", "{\"name\": \"c\"}").status()).isEqualTo(200);
        assertThat(name()).isEqualTo("c");
        assertThat(delete("\"3\"").status()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "\"1\"", "W/\"1\"", "\"7\", \"1\""})
    void a_matching_if_none_match_tag_prevents_a_change_in_both_apis(String tags) {
        String own = lease.replace("/v1", "/api");
        assertThat(unless(tags, lease, "PUT", "{\"name\": \"b\"}").status()).isEqualTo(412);
        assertThat(unless(tags, lease, "PUT", "{}").status()).isEqualTo(412);
        assertThat(unless(tags, own, "PATCH", "{\"name\": \"b\"}").status()).isEqualTo(412);
        assertThat(unless(tags, own + "/end", "POST", null).status()).isEqualTo(412);
        assertThat(unless(tags, lease, "DELETE", null).status()).isEqualTo(412);
        assertThat(unless(tags, own, "DELETE", null).status()).isEqualTo(412);
        assertThat(name()).isEqualTo("a");
    }

    @Test
    void both_apis_change_a_lease_without_a_matching_if_none_match_tag() {
        String own = lease.replace("/v1", "/api");
        assertThat(unless(STALE, lease, "PUT", "{\"name\": \"b\"}").status()).isEqualTo(200);
        assertThat(unless(STALE, own, "PATCH", "{\"name\": \"c\"}").status()).isEqualTo(200);
        assertThat(unless("\"1\", " + STALE, own, "DELETE", null).status()).isEqualTo(204);
    }

    private Answer unless(String tags, String path, String method, @Nullable String body) {
        return client.send(
                client.request("member", path).header("If-None-Match", tags), method, body);
    }

    @Test
    void an_if_none_match_star_matches_a_resource_without_a_tag() {
        long before = engine.position();
        for (String path : new String[] {"/v1/os-hosts/1", "/api/resources/1"}) {
            Answer refused =
                    client.send(
                            client.request("admin", path).header("If-None-Match", "*"),
                            "DELETE",
                            null);
            assertThat(refused.status()).as(path).isEqualTo(412);
            assertThat(refused.response().body()).contains("If-None-Match");
            Answer other =
                    client.send(
                            client.request("admin", path).header("If-None-Match", STALE),
                            "DELETE",
                            null);
            assertThat(other.status()).as(path).isNotEqualTo(412);
        }
        assertThat(engine.position()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/leases",
        "POST, /v1/os-hosts",
        "PUT, /v1/os-hosts/1",
        "DELETE, /v1/os-hosts/1",
        "PATCH, /v1/os-hosts/properties/gpu",
        "DELETE, /v1/floatingips/" + UNKNOWN_ID,
        "POST, /api/leases",
        "PATCH, /api/resources/1",
        "DELETE, /api/resources/1",
        "POST, /api/operations/leases/" + UNKNOWN_ID + "/force-end",
        "DELETE, /api/webhooks/" + UNKNOWN_ID,
    })
    void an_if_match_tag_does_not_match_a_resource_without_a_tag(String method, String path) {
        long before = engine.position();
        Answer refused = conditional(method, path, STALE);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(412);
        assertThat(refused.response().body()).contains("If-Match");
        assertThat(engine.position()).isEqualTo(before);
        assertThat(conditional(method, path, "*").status()).isNotEqualTo(412);
    }

    private Answer conditional(String method, String path, String tag) {
        return client.send(client.request("admin", path).header("If-Match", tag), method, "{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void an_if_none_match_star_answers_304_for_existing_resources(String method) {
        for (String path :
                new String[] {
                    lease,
                    lease.replace("/v1", "/api"),
                    "/v1/leases",
                    "/api/leases",
                    "/api/events",
                    "/openapi.json"
                }) {
            Answer answer = read(method, path);
            assertThat(answer.status()).as(path).isEqualTo(304);
            assertThat(answer.response().body()).isEmpty();
        }
        assertThat(read(method, lease).header("ETag")).isEqualTo("\"1\"");
        assertThat(read(method, "/v1/leases/" + UNKNOWN_ID).status()).isEqualTo(404);
        assertThat(read(method, "/api/leases/" + UNKNOWN_ID).status()).isEqualTo(404);
    }

    private Answer read(String method, String path) {
        return client.send(
                client.request("member", path)
                        .header("If-None-Match", "*")
                        .method(method, BodyPublishers.noBody()));
    }

    @Test
    void a_current_if_none_match_tag_answers_304() {
        for (String path : new String[] {lease, lease.replace("/v1", "/api")}) {
            assertThat(known(path, "\"1\"").status()).as(path).isEqualTo(304);
            assertThat(known(path, STALE).status()).as(path).isEqualTo(200);
        }
    }

    private Answer known(String path, String tag) {
        return client.send(client.request("member", path).header("If-None-Match", tag));
    }
}
