package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Requests that are only carried out for a given state of what they name. */
@ApiTest
class ConditionalRequestsTest {

    private static final String STALE = "\"7\"";
    private static final String NOBODY = "00000000-0000-0000-0000-000000000009";

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;
    private String lease;

    @BeforeEach
    void there_is_a_lease() {
        engine.reset();
        client = new ApiClient(new PaperApi(port, engine));
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
    void blazars_api_changes_no_lease_whose_tag_is_another_one(String tag) {
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
    void blazars_api_changes_a_lease_whose_tag_is_among_those_named() {
        assertThat(change("\"9\", \"1\"", "{\"name\": \"b\"}").status()).isEqualTo(200);
        assertThat(change("*", "{\"name\": \"c\"}").status()).isEqualTo(200);
        assertThat(name()).isEqualTo("c");
        assertThat(delete("\"3\"").status()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/leases",
        "POST, /v1/os-hosts",
        "PUT, /v1/os-hosts/1",
        "DELETE, /v1/os-hosts/1",
        "PATCH, /v1/os-hosts/properties/gpu",
        "DELETE, /v1/floatingips/" + NOBODY,
        "POST, /api/leases",
        "PATCH, /api/resources/1",
        "DELETE, /api/resources/1",
        "POST, /api/operations/leases/" + NOBODY + "/force-end",
        "DELETE, /api/webhooks/" + NOBODY,
    })
    void no_tag_matches_what_has_none(String method, String path) {
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
    void whatever_there_is_matches_a_star(String method) {
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
        assertThat(read(method, "/v1/leases/" + NOBODY).status()).isEqualTo(404);
        assertThat(read(method, "/api/leases/" + NOBODY).status()).isEqualTo(404);
    }

    private Answer read(String method, String path) {
        return client.send(
                client.request("member", path)
                        .header("If-None-Match", "*")
                        .method(method, BodyPublishers.noBody()));
    }

    @Test
    void a_tag_that_is_still_the_same_spares_the_answer() {
        for (String path : new String[] {lease, lease.replace("/v1", "/api")}) {
            assertThat(known(path, "\"1\"").status()).as(path).isEqualTo(304);
            assertThat(known(path, STALE).status()).as(path).isEqualTo(200);
        }
    }

    private Answer known(String path, String tag) {
        return client.send(client.request("member", path).header("If-None-Match", tag));
    }
}
