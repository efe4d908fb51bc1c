package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.lease.LeaseRejection;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.util.List;
import java.util.Objects;

@ApiTest
class IdempotencyInterceptorTest {

    private static final String WISH =
            """
            {"name": "nightly-build", "start": "2026-11-22T09:00:00+01:00",
             "end": "2026-11-22T10:00:00Z", "reservations": [{"kind": "physical:host", "parameters":
               {"min": 1, "max": 2, "hypervisor_properties": "", "resource_properties": ""}}]}
            """;

    private static final String BLAZARS_WISH =
            """
            {"name": "nightly-build", "start_date": "2026-11-22 08:00",
             "end_date": "2026-11-22 10:00", "events": [], "before_end_date": null,
             "reservations": [{"resource_type": "physical:host", "min": 1, "max": 2,
               "hypervisor_properties": "", "resource_properties": ""}]}
            """;

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    private Answer keyed(String user, String method, String path, @Nullable String body) {
        return client.send(client.request(user, path).header("Idempotency-Key", "k"), method, body);
    }

    private static void assertSame(Answer repeated, Answer first) {
        assertThat(repeated.status()).as(repeated.toString()).isEqualTo(first.status());
        assertThat(repeated.response().body()).isEqualTo(first.response().body());
        for (String header : List.of("Content-Type", "Location", "ETag", "Leasehold-Position")) {
            assertThat(repeated.header(header)).as(header).isEqualTo(first.header(header));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/v1"})
    void a_repeated_deletion_is_answered_like_the_first(String api) {
        String lease = api + "/leases/" + create();

        Answer first = keyed("member", "DELETE", lease, null);
        assertThat(first.status()).isEqualTo(204);
        assertSame(keyed("member", "DELETE", lease, null), first);
        assertThat(client.send("member", "DELETE", lease, null).status()).isEqualTo(404);
    }

    private String create() {
        return client.send("member", "POST", "/api/leases", WISH).json().path("id").asString();
    }

    @Test
    void a_repeated_creation_of_a_deleted_lease_is_answered_like_the_first() {
        Answer first = keyed("member", "POST", "/api/leases", WISH);
        delete(first.json().path("id").asString());
        assertSame(keyed("member", "POST", "/api/leases", WISH), first);
    }

    @Test
    void a_repeated_blazar_creation_is_answered_like_the_first() {
        Answer first = keyed("member", "POST", "/v1/leases", BLAZARS_WISH);
        assertThat(first.status()).isEqualTo(201);
        delete(first.json().at("/lease/id").asString());

        Answer repeated = keyed("member", "POST", "/v1/leases", BLAZARS_WISH);
        assertSame(repeated, first);
        assertThat(repeated.header("OpenStack-API-Version")).isEqualTo("reservation 1.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATCH /api/leases/", "PUT /v1/leases/"})
    void a_repeated_change_of_a_deleted_lease_is_answered_like_the_first(String change) {
        String id = create();
        String method = change.substring(0, change.indexOf(' '));
        String path = change.substring(change.indexOf(' ') + 1) + id;

        Answer first = keyed("member", method, path, "{\"name\": \"weekly\"}");
        assertThat(first.status()).isEqualTo(200);
        delete(id);
        assertSame(keyed("member", method, path, "{\"name\": \"weekly\"}"), first);
    }

    private void delete(String lease) {
        assertThat(client.send("member", "DELETE", "/api/leases/" + lease, null).status())
                .isEqualTo(204);
    }

    @Test
    void a_repeated_end_is_answered_like_the_first() {
        String id = create();
        Answer first = keyed("member", "POST", "/api/leases/" + id + "/end", null);
        assertThat(first.status()).isEqualTo(200);
        delete(id);
        assertSame(keyed("member", "POST", "/api/leases/" + id + "/end", null), first);
    }

    @Test
    void repeated_enrolments_and_retirements_are_answered_like_the_first() {
        String host = "{\"kind\": \"physical:host\", \"name\": \"compute-1\"}";
        Answer enrolled = keyed("admin", "POST", "/api/resources", host);
        assertThat(enrolled.status()).as(enrolled.toString()).isEqualTo(201);
        String path = "/v1/os-hosts/" + enrolled.json().path("id").asString();

        Answer first = keyed("admin", "DELETE", path, null);
        assertThat(first.status()).isEqualTo(204);
        assertSame(keyed("admin", "DELETE", path, null), first);
        assertSame(keyed("admin", "POST", "/api/resources", host), enrolled);
    }

    @Test
    void a_repeated_request_gets_the_same_error() {
        engine.rejectNext(new LeaseRejection.InvalidName(81, 80));
        Answer first = keyed("member", "POST", "/api/leases", WISH);
        assertThat(first.status()).isEqualTo(400);
        assertSame(keyed("member", "POST", "/api/leases", WISH), first);

        Answer unreadable = keyed("member", "POST", "/api/leases", "{\"name\": 1}");
        assertThat(unreadable.status()).isEqualTo(400);
        assertSame(keyed("member", "POST", "/api/leases", "{\"name\": 1}"), unreadable);
    }

    @Test
    void equal_keys_of_other_users_or_projects_are_independent() {
        Answer first = keyed("member", "POST", "/api/leases", WISH);
        for (String other : List.of("colleague", "stranger")) {
            Answer answer = keyed(other, "POST", "/api/leases", WISH);
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.json().path("id")).isNotEqualTo(first.json().path("id"));
        }
    }

    @Test
    void a_key_reused_for_another_request_answers_422() {
        keyed("member", "POST", "/api/leases", WISH);
        engine.answers().accept(key(), 7);

        Answer ours = keyed("member", "DELETE", "/api/leases/" + create(), null);
        assertThat(ours.status()).isEqualTo(422);
        assertThat(ours.isProblem()).isTrue();
        assertThat(ours.json().path("type").asString())
                .isEqualTo("/problems/idempotency-key-reused");
        assertThat(ours.json().path("detail").asString()).contains(" k ");
        Answer blazars = keyed("member", "POST", "/v1/leases", BLAZARS_WISH);
        assertThat(blazars.status()).isEqualTo(422);
        assertThat(blazars.json().path("error_message").asString())
                .isEqualTo("The idempotency key k was used for another request");
    }

    private CommandContext.Idempotency key() {
        return Objects.requireNonNull(engine.lastContext().idempotency());
    }

    /** The engine stopped after the commit and before the response. */
    @Test
    void a_lost_deletion_response_is_rebuilt_from_the_command_outcome() {
        String lease = "/api/leases/" + create();
        keyed("member", "DELETE", lease, null);
        engine.answers().accept(key(), 7);
        engine.answers().forgetAnswers();

        Answer repeated = keyed("member", "DELETE", lease, null);
        assertThat(repeated.status()).isEqualTo(204);
        assertThat(repeated.position()).isEqualTo(7);
    }

    @Test
    void a_lost_change_response_of_a_deleted_lease_answers_409() {
        String id = create();
        String body = "{\"name\": \"weekly\"}";
        keyed("member", "PATCH", "/api/leases/" + id, body);
        engine.answers().accept(key(), 7);
        engine.answers().forgetAnswers();
        delete(id);

        Answer repeated = keyed("member", "PATCH", "/api/leases/" + id, body);
        assertThat(repeated.status()).isEqualTo(409);
        assertThat(repeated.isProblem()).isTrue();
        assertThat(repeated.json().path("detail").asString()).contains("position 7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void a_post_with_an_empty_idempotency_key_answers_400(String key) {
        long before = engine.position();
        for (String path : List.of("/api/leases", "/v1/leases", "/api/webhooks")) {
            Answer refused =
                    client.send(
                            client.request("member", path).header("Idempotency-Key", key),
                            "POST",
                            WISH);
            assertThat(refused.status()).as(path).isEqualTo(400);
            assertThat(refused.response().body()).contains("Idempotency-Key must not be empty");
        }
        assertThat(engine.position()).isEqualTo(before);
        Answer read =
                client.send(client.request("member", "/api/leases").header("Idempotency-Key", key));
        assertThat(read.status()).isEqualTo(200);
    }
}
