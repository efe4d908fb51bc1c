package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.security.access.AccessPolicy;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import java.net.http.HttpRequest;
import java.util.List;

class V1ProtocolTest extends V1TestServer {

    @Autowired RequestMappingHandlerMapping requestMappingHandlerMapping;

    @ParameterizedTest
    @ValueSource(strings = {"/", "/versions"})
    void discovery_lists_the_only_version(String path) {
        Answer answer = get("reader", path);
        assertThat(answer.status()).isEqualTo(300);
        assertThat(answer.json().at("/versions/0/id").asString()).isEqualTo("v1.0");
        assertThat(answer.json().at("/versions/0/links/0/href").asString())
                .isEqualTo("http://127.0.0.1:" + port + "/v1");
    }

    @Test
    void forwarded_headers_are_ignored_by_default() {
        Answer answer =
                send(
                        request("reader", "/")
                                .header("X-Forwarded-For", "192.0.2.7")
                                .header("X-Forwarded-Proto", "https")
                                .header("X-Forwarded-Host", "evil.example")
                                .header("X-Forwarded-Port", "eleven")
                                .header("X-Forwarded-Prefix", "/reservation"));
        assertThat(answer.json().at("/versions/0/links/0/href").asString())
                .isEqualTo("http://127.0.0.1:" + port + "/v1");
    }

    @Test
    void an_answer_has_the_request_id_and_the_api_version() {
        Answer answer = get("reader", "/v1/leases");
        assertThat(answer.header("x-openstack-request-id")).matches("req-[0-9a-f-]{36}");
        assertThat(answer.header("OpenStack-API-Version")).isEqualTo("reservation 1.0");
        assertThat(answer.response().headers().allValues("Vary")).contains("OpenStack-API-Version");
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/html", "*/*", "garbage", "image/png;q=2"})
    void an_answer_is_json_for_any_accept_header(String accept) {
        for (String path : List.of("/v1/leases", "/v1/leases/nonsense", "/v1/os-hosts", "/")) {
            Answer answer = send(request("admin", path).header("Accept", accept));
            assertThat(answer.status()).as(path).isIn(200, 300, 404);
            assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0",
                "latest",
                "reservation 1.0",
                "reservation latest",
                "compute 2.90",
                "compute 2.90, reservation 1.0"
            })
    void the_only_microversion_and_versions_of_other_services_are_accepted(String version) {
        assertThat(asking(version).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1", "reservation 2.0", "compute 2.1, reservation 1.7"})
    void an_unsupported_microversion_answers_406(String version) {
        Answer answer = asking(version);
        assertThat(answer.status()).isEqualTo(406);
        assertThat(answer.json().path("error").asInt()).isEqualTo(406);
        assertThat(answer.message()).contains("Minimum is 1.0 and maximum is 1.0");
        assertThat(answer.header("OpenStack-API-Version")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "reservation 1", "01.0", "reservation 1.0.0"})
    void a_malformed_microversion_answers_400(String version) {
        Answer answer = asking(version);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("error").asInt()).isEqualTo(400);
        assertThat(answer.message()).contains("MajorNum.MinorNum");
    }

    private Answer asking(String version) {
        return send(request("reader", "/v1/leases").header("OpenStack-API-Version", version));
    }

    @Test
    void routes_accept_a_json_suffix() {
        String id = leaseOf("member");
        assertThat(get("member", "/v1/leases.json").status()).isEqualTo(200);
        assertThat(get("member", "/v1/leases/" + id + ".json").json().at("/lease/id").asString())
                .isEqualTo(id);
        assertThat(get("admin", "/v1/os-hosts/allocations.json").status()).isEqualTo(200);
        assertThat(delete("member", "/v1/leases/" + id + ".json").status()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/leases/", "/v1/nonsense", "/v1", "/v1/networks", "/v1/.json"})
    void an_unknown_path_answers_404_in_framework_form(String path) {
        Answer answer = get("admin", path);
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("error").asInt()).isEqualTo(404);
        assertThat(answer.header("OpenStack-API-Version")).isEmpty();
        assertThat(answer.header("x-openstack-request-id")).startsWith("req-");
    }

    @ParameterizedTest
    @CsvSource({
        "PATCH, /v1/leases, 'GET, POST'",
        "POST, /v1/os-hosts/1, 'DELETE, GET, PUT'",
        "GET, /v1/os-hosts/properties/gpu, PATCH",
        "PUT, /v1/leases.json, 'GET, POST'",
    })
    void a_wrong_method_answers_405_in_framework_form(String method, String path, String allowed) {
        Answer answer = send("admin", method, path, "{}");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.json().path("error").asInt()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "nonsense", "{\"name\": }", "{} {}", "{\"name\": \u0000}"})
    void a_body_that_is_not_json_answers_400_in_framework_form(String body) {
        for (String path : List.of("/v1/leases", "/v1/os-hosts")) {
            Answer answer = post("admin", path, body);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().path("error").asInt()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[{}]", "1", "\"text\"", "null", "true"})
    void a_body_that_is_not_an_object_answers_400_in_handler_form(String body) {
        Answer answer = post("member", "/v1/leases", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("error_code").asInt()).isEqualTo(400);
        assertThat(answer.json().path("error_name").asInt()).isEqualTo(400);
    }

    @Test
    void a_wrong_or_missing_content_type_answers_400() {
        for (String type :
                List.of(
                        "text/plain",
                        "application/xml",
                        "garbage",
                        "application/json+x",
                        "application/x-www-form-urlencoded",
                        "multipart/form-data")) {
            Answer answer =
                    send(
                            request("member", "/v1/leases")
                                    .header("Content-Type", type)
                                    .POST(HttpRequest.BodyPublishers.ofString(LEASE)));
            assertThat(answer.status()).as(type).isEqualTo(400);
            assertThat(answer.json().path("error").asInt()).isEqualTo(400);
        }
        Answer untyped =
                send(
                        request("member", "/v1/leases")
                                .POST(HttpRequest.BodyPublishers.ofString(LEASE)));
        assertThat(untyped.status()).isEqualTo(400);
        assertThat(untyped.message()).isEqualTo("Content-Type must be application/json.");
    }

    @Test
    void a_body_that_is_too_large_answers_413() {
        String name = "x".repeat(2 << 20);
        Answer answer = post("member", "/v1/leases", "{\"name\": \"" + name + "\"}");
        assertThat(answer.status()).isEqualTo(413);
    }

    @Test
    void a_body_with_too_many_values_answers_400() {
        String body = "{\"reservations\": [" + "[],".repeat(100_000) + "0]}";
        for (String path : List.of("/v1/leases", "/api/leases")) {
            Answer answer = post("member", path, body);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.toString()).contains("more than 50000 values");
        }
    }

    @Test
    void a_large_body_is_read_for_leases_but_not_for_hosts() {
        String body = "{\"name\": \"" + "x".repeat(100_000) + "\"}";
        Answer host = post("admin", "/v1/os-hosts", body);
        assertThat(host.status()).isEqualTo(413);
        assertThat(host.message()).isEqualTo("A request body has at most 65536 bytes here.");
        assertThat(post("member", "/v1/leases", body).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/leases/a;b", "/v1/leases/%2e%2e", "/v1//leases"})
    void an_ambiguous_path_answers_400(String path) {
        Answer answer = get("member", path);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isNotEmpty();
    }

    @Test
    void a_null_character_is_rejected_in_paths_queries_and_bodies() {
        assertThat(get("member", "/v1/leases/a%00b").status()).isEqualTo(400);
        assertThat(get("admin", "/v1/os-hosts/allocations?lease_id=%00").status()).isEqualTo(400);
        assertThat(post("member", "/v1/leases", "{\"name\": \"\\u0000\"}").message())
                .isEqualTo("name must not contain U+0000");
    }

    @Test
    void a_request_without_a_valid_login_answers_401_in_keystone_form() {
        for (Answer answer :
                List.of(
                        get("", "/v1/leases"),
                        get("mallory", "/v1/leases"),
                        get("", "/v1/nonsense"),
                        send(
                                request("", "/v1/leases")
                                        .header("Authorization", basic("reader", "wrong"))),
                        send(request("", "/v1/leases").header("Authorization", "Basic garbage")))) {
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Basic realm=\"leasehold\"");
            assertThat(answer.json().at("/error/code").asInt()).isEqualTo(401);
            assertThat(answer.json().at("/error/title").asString()).isEqualTo("Unauthorized");
        }
    }

    @Test
    void an_answer_sets_no_cookie() {
        assertThat(get("reader", "/v1/leases").header("Set-Cookie")).isEmpty();
    }

    @Test
    void an_error_outside_the_blazar_api_is_a_problem_document() {
        assertThat(get("", "/api/leases").header("Content-Type"))
                .isEqualTo("application/problem+json");
        Answer nothing = get("reader", "/api/nonsense");
        assertThat(nothing.status()).isEqualTo(404);
        assertThat(nothing.json().path("type").asString()).isEqualTo("/problems/not-found");
        Answer denied = get("reader", "/api/operations/stuck");
        assertThat(denied.status()).isEqualTo(403);
        Answer flawed =
                post("member", "/api/leases", "{\"reservations\": [{\"kind\": \"\\u0000\"}]}");
        assertThat(flawed.status()).isEqualTo(400);
        assertThat(flawed.json().at("/errors/0/field").asString())
                .isEqualTo("reservations[0].kind");
    }

    @Test
    void endpoints_and_access_rules_of_this_api_correspond_one_to_one() {
        List<String> endpoints =
                requestMappingHandlerMapping.getHandlerMethods().keySet().stream()
                        .flatMap(
                                mapping ->
                                        mapping.getMethodsCondition().getMethods().stream()
                                                .flatMap(
                                                        method ->
                                                                mapping.getPatternValues().stream()
                                                                        .map(
                                                                                p ->
                                                                                        method + " "
                                                                                                + p)))
                        .filter(
                                endpoint ->
                                        ofThisApi(endpoint.substring(endpoint.indexOf(' ') + 1)))
                        .toList();
        List<String> rules =
                AccessPolicy.standard().rules().stream()
                        .filter(rule -> ofThisApi(rule.path().getPatternString()))
                        .map(rule -> rule.method() + " " + rule.path().getPatternString())
                        .toList();
        assertThat(endpoints).containsExactlyInAnyOrderElementsOf(rules);
    }

    private static boolean ofThisApi(String path) {
        return path.startsWith("/v1/") || path.equals("/") || path.equals("/versions");
    }
}
