package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Tests authorisation with users of Keystone. */
class KeystoneIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Map<String, String> DEMO = Map.of("id", "p-demo", "name", "demo");
    private static final Map<String, String> OTHER = Map.of("id", "p-other", "name", "other");

    @TempDir private static Path folder;

    private static FakeOpenStack cloud;
    private static ConfigurableApplicationContext product;

    @BeforeAll
    static void start() {
        cloud = new FakeOpenStack(Clock.systemUTC());
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--server.port=0",
                                "--leasehold.probes.port=0",
                                "--leasehold.database.folder=" + folder,
                                "--leasehold.authentication.method=keystone",
                                "--leasehold.authentication.revocation-interval=100ms",
                                "--leasehold.authentication.auditor-roles=cloud_auditor"));
        cloud.settings()
                .forEach(
                        (name, value) ->
                                arguments.add("--leasehold.openstack." + name + "=" + value));
        SpringApplication application = Leasehold.application();
        // The tokens have Keystone's time, which is that of this machine.
        application.addInitializers(
                new BeanReplacements(
                        RuntimeConfiguration.microsecondClock(),
                        new PluginGate(),
                        SharedPostgres.of(folder)));
        product = application.run(arguments.toArray(String[]::new));
        new Client("http://127.0.0.1:" + port()).awaitReady();
    }

    @AfterAll
    static void stop() {
        product.close();
        cloud.close();
    }

    @BeforeEach
    void everybodyHasAToken() {
        cloud.keystone(null);
        cloud.token("demo", token("u-demo", "project", DEMO, "member", "reader"));
        cloud.token("other", token("u-other", "project", OTHER, "member", "reader"));
        cloud.token("reader", token("u-reader", "project", DEMO, "reader"));
        cloud.token("admin", token("u-admin", "project", OTHER, "admin", "member", "reader"));
        cloud.token("auditor", token("u-auditor", "project", OTHER, "cloud_auditor"));
    }

    @Test
    void access_to_a_lease_depends_on_project_and_role() {
        HttpResponse<String> made = ask("POST", "/v1/leases", "demo", wish("ours"));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        JsonNode lease = JSON.readTree(made.body()).path("lease");
        assertThat(lease.path("project_id").asString()).isEqualTo("p-demo");
        assertThat(lease.path("user_id").asString()).isEqualTo("u-demo");
        String path = "/v1/leases/" + lease.path("id").asString();

        assertThat(status("GET", path, "reader")).isEqualTo(200);
        assertThat(status("GET", path, "admin")).isEqualTo(200);
        assertThat(status("GET", path, "other")).isEqualTo(404);
        assertThat(status("DELETE", path, "other")).isEqualTo(404);
        assertThat(status("DELETE", path, "reader")).isEqualTo(403);
        assertThat(ask("POST", "/v1/leases", "reader", wish("theirs")).statusCode()).isEqualTo(403);
        assertThat(status("GET", "/v1/os-hosts", "demo")).isEqualTo(403);
        assertThat(status("GET", "/v1/os-hosts", "admin")).isEqualTo(200);

        String id = lease.path("id").asString();
        assertThat(status("GET", "/api/leases/" + id + "/history", "auditor")).isEqualTo(200);
        assertThat(status("DELETE", path, "auditor")).isEqualTo(403);
        assertThat(status("DELETE", path, "demo")).isEqualTo(204);
    }

    @Test
    void a_caller_sees_the_names_of_the_user_and_the_project() {
        JsonNode me = JSON.readTree(ask("GET", "/api/me", "demo", null).body());

        assertThat(me.path("user_id").asString()).isEqualTo("u-demo");
        assertThat(me.path("user_name").asString()).isEqualTo("u-demo");
        assertThat(me.path("project_id").asString()).isEqualTo("p-demo");
        assertThat(me.path("project_name").asString()).isEqualTo("demo");
        assertThat(me.path("login").asString()).isEqualTo("keystone");
    }

    @Test
    void a_caller_with_a_token_of_the_system_has_no_project() {
        cloud.token("reader-of-all", token("u-system", "system", Map.of("all", true), "reader"));

        JsonNode me = JSON.readTree(ask("GET", "/api/me", "reader-of-all", null).body());

        assertThat(me.path("user_id").asString()).isEqualTo("u-system");
        assertThat(me.path("project_id").isNull()).isTrue();
        assertThat(me.path("project_name").isNull()).isTrue();
    }

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

    @ParameterizedTest
    @ValueSource(strings = {"reader", "admin"})
    void a_system_token_reads_all_projects_and_writes_to_none(String role) {
        String token = "system-" + role;
        cloud.token(token, token("u-" + role, "system", Map.of("all", true), role));
        JsonNode lease =
                JSON.readTree(ask("POST", "/v1/leases", "demo", wish("audited")).body())
                        .path("lease");
        String path = "/v1/leases/" + lease.path("id").asString();
        String ours = "/api/leases/" + lease.path("id").asString();

        for (String readable : Set.of(path, ours, ours + "/history", "/v1/os-hosts")) {
            assertThat(status("GET", readable, token)).as(readable).isEqualTo(200);
        }
        assertThat(ask("GET", "/v1/leases", token, null).body())
                .contains(lease.path("id").asString());
        HttpResponse<String> refused = ask("POST", "/v1/leases", token, wish("theirs"));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("Policy doesn't allow blazar:leases:post");
        assertThat(ask("PUT", path, token, Map.of()).statusCode()).isEqualTo(403);
        assertThat(status("DELETE", path, token)).isEqualTo(403);
        assertThat(ask("POST", ours + "/end", token, Map.of()).statusCode()).isEqualTo(403);
        assertThat(status("GET", "/api/availability", token)).isEqualTo(403);
        assertThat(status("GET", "/api/operations/drift", token)).isEqualTo(403);
        assertThat(status("DELETE", path, "demo")).isEqualTo(204);
    }

    @Test
    void the_identity_comes_only_from_the_token() {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address("/v1/leases"))
                        .header("X-Identity-Status", "Confirmed")
                        .header("X-Project-Id", "p-demo")
                        .header("X-User-Id", "u-admin")
                        .header("X-Roles", "admin")
                        .header("X-Service-Token", "admin");
        assertThat(send(request).statusCode()).isEqualTo(401);

        request.header("X-Auth-Token", "reader");
        assertThat(send(request.POST(BodyPublishers.noBody())).statusCode()).isEqualTo(403);
    }

    @Test
    void an_application_credential_permits_only_the_listed_requests() {
        Map<String, Object> token =
                new HashMap<>(token("u-demo", "project", DEMO, "member", "reader"));
        token.put(
                "application_credential",
                Map.of(
                        "access_rules",
                        List.of(
                                Map.of(
                                        "service", "reservation",
                                        "method", "GET",
                                        "path", "/v1/leases"))));
        cloud.token("restricted", token);

        assertThat(status("GET", "/v1/leases", "restricted")).isEqualTo(200);
        assertThat(status("GET", "/v1/leases.json", "restricted")).isEqualTo(200);
        assertThat(status("GET", "/api/leases", "restricted")).isEqualTo(401);
        assertThat(ask("POST", "/v1/leases", "restricted", wish("no")).statusCode()).isEqualTo(401);
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

    @Test
    void the_openapi_description_contains_the_keystone_security_scheme() {
        JsonNode description = JSON.readTree(ask("GET", "/openapi.json", null, null).body());

        assertThat(description.at("/components/securitySchemes/keystone/name").asString())
                .isEqualTo("X-Auth-Token");
    }

    private static Map<String, Object> token(
            String user, String scope, Map<String, ?> of, String... roles) {
        Instant now = Instant.now();
        return Map.of(
                "user",
                Map.of("id", user, "name", user),
                "issued_at",
                now.toString(),
                "expires_at",
                now.plus(Duration.ofHours(1)).toString(),
                "audit_ids",
                List.of("audit-" + user),
                "roles",
                List.of(roles).stream().map(role -> Map.of("id", role, "name", role)).toList(),
                scope,
                of);
    }

    private static Map<String, Object> wish(String name) {
        Instant now = Instant.now();
        return Map.of(
                "name",
                name,
                "start_date",
                minute(now.plus(Duration.ofDays(1))),
                "end_date",
                minute(now.plus(Duration.ofDays(2))),
                "events",
                List.of(),
                "reservations",
                List.of(
                        Map.of(
                                "resource_type", "physical:host",
                                "min", 1,
                                "max", 1,
                                "hypervisor_properties", "",
                                "resource_properties", "")));
    }

    private static String minute(Instant instant) {
        return instant.toString().substring(0, 16).replace('T', ' ');
    }

    private static int status(String method, String path, @Nullable String token) {
        return ask(method, path, token, null).statusCode();
    }

    private static HttpResponse<String> ask(
            String method, String path, @Nullable String token, @Nullable Object body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address(path))
                        .header("Accept", "application/json")
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(JSON.writeValueAsString(body)));
        if (token != null) {
            request.header("X-Auth-Token", token);
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return send(request);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException broken) {
            throw new AssertionError(broken);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static URI address(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    private static String port() {
        return Objects.requireNonNull(product.getEnvironment().getProperty("local.server.port"));
    }
}
