package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tests authorisation with users of Keystone. */
class KeystoneIT extends KeystoneFixture {

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
    void the_openapi_description_contains_the_keystone_security_scheme() {
        JsonNode description = JSON.readTree(ask("GET", "/openapi.json", null, null).body());

        assertThat(description.at("/components/securitySchemes/keystone/name").asString())
                .isEqualTo("X-Auth-Token");
    }
}
