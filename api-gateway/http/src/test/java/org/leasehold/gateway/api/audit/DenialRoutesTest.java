package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.DeniedAttempts.DeniedAttempt;
import org.leasehold.readmodel.audit.DeniedAttempts.ListAttempts;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The denied attempts: their records, and how auditors read them. */
@ApiTest
class DenialRoutesTest extends AuditRoutesFixture {

    @Autowired FakeDeniedAttempts attempts;

    @BeforeEach
    void forgetAttempts() {
        attempts.attempts.clear();
    }

    @Test
    void a_denial_because_of_a_missing_role_is_recorded() throws InterruptedException {
        assertThat(client.get("biller", "/api/resources/7").status()).isEqualTo(403);

        DeniedAttempt attempt = next();
        assertThat(attempt.user()).isEqualTo(new UserId("u-biller"));
        assertThat(attempt.project()).isEqualTo(new ProjectId("p3"));
        assertThat(attempt.roles()).containsExactly("biller");
        assertThat(attempt.attempt()).isEqualTo("leasehold:resources:get");
        assertThat(attempt.target()).isEqualTo("/api/resources/7");
        assertThat(attempt.why()).isEqualTo("role");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/leases/{id}, leasehold:leases:get",
        "GET, /api/leases/{id}/history, leasehold:leases:get_history",
        "DELETE, /api/leases/{id}, leasehold:leases:delete",
        "GET, /v1/leases/{id}, blazar:leases:get",
    })
    void access_to_a_lease_of_another_project_is_recorded_as_a_denial(
            String method, String path, String rule) throws InterruptedException {
        String lease = createLease();
        String asked = path.replace("{id}", lease);

        assertThat(client.send("stranger", method, asked, null).status()).isEqualTo(404);

        DeniedAttempt attempt = next();
        assertThat(attempt.user()).isEqualTo(new UserId("u-stranger"));
        assertThat(attempt.attempt()).isEqualTo(rule);
        assertThat(attempt.target()).isEqualTo(lease);
        assertThat(attempt.why()).isEqualTo("another_project");
    }

    /** The server is not configured to trust the headers of proxies. */
    @Test
    void a_denial_records_the_peer_address_despite_forwarded_headers() throws InterruptedException {
        client.send(
                client.request("biller", "/api/resources/7")
                        .header("X-Forwarded-For", "203.0.113.9")
                        .header("Forwarded", "for=203.0.113.9")
                        .header("User-Agent", "a\tb " + "c".repeat(1000))
                        .GET());

        DeniedAttempt attempt = next();

        assertThat(attempt.origin())
                .isEqualTo(RequestOrigin.of("127.0.0.1", "a b " + "c".repeat(251)));
        attempts.attempts.add(attempt);
        JsonNode listed = client.get("auditor", "/api/audit/denied").json().at("/attempts/0");
        assertThat(listed.path("address").asString()).isEqualTo("127.0.0.1");
        assertThat(listed.path("agent").asString()).startsWith("a b ccc");
        assertThat(client.get("auditor", "/api/audit/denied?address=x").names("address")).isTrue();
    }

    @Test
    void other_requests_are_not_recorded_as_denials() throws InterruptedException {
        String lease = createLease();
        assertThat(client.get("member", "/api/leases/" + lease).status()).isEqualTo(200);
        assertThat(client.get("stranger", "/api/leases/" + UUID.randomUUID()).status())
                .isEqualTo(404);
        assertThat(client.get("admin", "/api/resources/7").status()).isEqualTo(404);
        assertThat(client.get("stranger", "/api/nothing/" + lease).status()).isEqualTo(404);
        assertThat(client.get("", "/api/leases/" + lease).status()).isEqualTo(401);

        client.get("stranger", "/api/leases/" + lease);

        // They are recorded in order, so an earlier one would be first.
        assertThat(next().target()).isEqualTo(lease);
        assertThat(attempts.attempts).isEmpty();
    }

    @Test
    void an_auditor_reads_denials() throws InterruptedException {
        client.get("biller", "/api/resources/7");
        DeniedAttempt attempt = next();
        attempts.attempts.add(attempt);

        JsonNode listed = client.get("auditor", "/api/audit/denied").json().at("/attempts/0");

        assertThat(listed.path("user_id").asString()).isEqualTo("u-biller");
        assertThat(listed.path("project_id").asString()).isEqualTo("p3");
        assertThat(listed.path("attempt").asString()).isEqualTo("leasehold:resources:get");
        assertThat(listed.path("target").asString()).isEqualTo("/api/resources/7");
        assertThat(listed.path("times").asInt()).isEqualTo(1);
        assertThat(listed.path("why").asString()).isEqualTo("role");
        assertThat(listed.path("request_id").asString()).isEqualTo(attempt.requestId());
        assertThat(client.get("auditor", "/api/audit/denied?marker=x").names("marker")).isTrue();
    }

    @Test
    void the_query_of_denials_is_passed_on_unchanged() {
        client.get(
                "auditor",
                "/api/audit/denied?user=u&project=p&target=t&target_project=q&address=192.0.2.0/24&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z&limit=5");

        assertThat(attempts.asked)
                .isEqualTo(
                        new ListAttempts(
                                "u",
                                "p",
                                "t",
                                "q",
                                AddressRange.of("192.0.2.0/24"),
                                NOVEMBER,
                                DECEMBER,
                                null,
                                5));
    }

    @ParameterizedTest
    @CsvSource({
        "denied?from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z, to",
        "denied?to=tomorrow, to",
    })
    void an_invalid_window_is_rejected_with_the_field_name(String query, String field) {
        assertThat(client.get("auditor", "/api/audit/" + query).names(field)).isTrue();
    }

    @Test
    void denials_can_be_downloaded_as_csv_and_json_lines() throws InterruptedException {
        client.send(
                client.request("biller", "/api/resources/7")
                        .header("User-Agent", "=HYPERLINK(\"x\")")
                        .GET());
        DeniedAttempt attempt = next();
        attempts.attempts.add(attempt);

        Answer commas = denied("text/csv", "?target_project=p1");
        Answer lines = denied("application/x-ndjson", "?target_project=p1");
        assertThat(attempts.asked).extracting(ListAttempts::targetProject).isEqualTo("p1");

        assertThat(commas.header("Content-Type")).startsWith("text/csv");
        assertThat(commas.response().body())
                .isEqualTo(
                        """
                        at,last_at,times,user_id,project_id,roles,attempt,target,why,request_id,address,agent
                        %1$s,%1$s,1,u-biller,p3,%2$s,leasehold:resources:get,/api/resources/7,role,%3$s,127.0.0.1,"'=HYPERLINK(""x"")"
                        """
                                .formatted(
                                        attempt.at(),
                                        String.join(" ", attempt.roles()),
                                        attempt.requestId())
                                .replace("\n", "\r\n"));
        assertThat(lines.header("Content-Type")).startsWith("application/x-ndjson");
        assertThat(lines.response().body()).endsWith("\n").containsOnlyOnce("\n");
        assertThat(new JsonMapper().readTree(lines.response().body()))
                .isEqualTo(client.get("auditor", "/api/audit/denied").json().at("/attempts/0"));
        assertThat(denied("text/csv", "?to=x").names("to")).isTrue();
        assertThat(denied("text/csv", "?limit=1").names("limit")).isTrue();
    }

    private Answer denied(String accept, String query) {
        return client.send(
                client.request("auditor", "/api/audit/denied" + query)
                        .header("Accept", accept)
                        .GET());
    }

    /** Waits, because the response to a denied attempt does not wait for its record. */
    private DeniedAttempt next() throws InterruptedException {
        DeniedAttempt attempt = attempts.attempts.poll(10, TimeUnit.SECONDS);
        assertThat(attempt).isNotNull();
        return attempt;
    }

    private String createLease() {
        return client.send(
                        "member",
                        "POST",
                        "/api/leases",
                        """
                        {"name": "secret", "end": "2026-11-22T10:00:00Z", "reservations":
                          [{"kind": "physical:host", "parameters": {"min": 1, "max": 1,
                            "hypervisor_properties": "", "resource_properties": ""}}]}
                        """)
                .json()
                .path("id")
                .asString();
    }
}
