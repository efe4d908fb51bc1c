package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.DeniedAttempts.DeniedAttempt;
import org.leasehold.readmodel.audit.DeniedAttempts.ListAttempts;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.CloudCalls.ListCalls;
import org.leasehold.readmodel.operation.StuckActionQuery.Change;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.readmodel.subscription.SubscriptionChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Done;
import org.leasehold.readmodel.subscription.SubscriptionChanges.ListChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.SubscriptionChange;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

@ApiTest
class AuditRoutesTest {

    private static final LeaseId LEASE = new LeaseId(UUID.randomUUID());
    private static final ReservationId RESERVATION = new ReservationId(UUID.randomUUID());
    private static final String REQUEST = "req-" + UUID.randomUUID();
    private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant DECEMBER = Instant.parse("2026-12-01T00:00:00Z");

    @Autowired InMemoryEngine engine;
    @Autowired FakeCloudCalls calls;
    @Autowired FakeDeniedAttempts attempts;
    @Autowired FakeSubscriptionChanges changes;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        attempts.attempts.clear();
    }

    @Test
    void an_auditor_reads_each_attempt_of_a_cloud_call() {
        calls.add(
                new CloudCall(
                        new Target.Reservation(LEASE, RESERVATION, Action.START),
                        2,
                        ApiTestServer.NOW,
                        ApiTestServer.NOW.plusSeconds(3),
                        new Fault(Fault.Kind.RETRYABLE, "nova is away"),
                        REQUEST,
                        "event-1"));
        calls.add(
                new CloudCall(
                        new Target.Resource(
                                new ResourceId(7),
                                ResourceKind.PHYSICAL_HOST,
                                "compute-7",
                                Change.ENROL),
                        1,
                        ApiTestServer.NOW,
                        ApiTestServer.NOW,
                        null,
                        REQUEST,
                        "event-0"));

        Answer first = client.get("auditor", "/api/audit/calls?limit=1");
        JsonNode page = first.json();

        JsonNode start = page.at("/calls/0");
        assertThat(start.path("lease_id").asString()).isEqualTo(LEASE.toString());
        assertThat(start.path("reservation_id").asString()).isEqualTo(RESERVATION.toString());
        assertThat(start.path("action").asString()).isEqualTo("start");
        assertThat(start.path("attempt").asInt()).isEqualTo(2);
        assertThat(start.path("fault_kind").asString()).isEqualTo("retryable");
        assertThat(start.path("fault").asString()).isEqualTo("nova is away");
        assertThat(start.path("request_id").asString()).isEqualTo(REQUEST);
        assertThat(start.path("causation").asString()).isEqualTo("event-1");
        String next = page.path("next").asString();
        assertThat(first.header("Link"))
                .isEqualTo("</api/audit/calls?limit=1&marker=%s>; rel=\"next\"", next);
        JsonNode enrol =
                client.get("admin", "/api/audit/calls?marker=" + next).json().at("/calls/0");
        assertThat(enrol.path("resource_id").asLong()).isEqualTo(7);
        assertThat(enrol.path("name").asString()).isEqualTo("compute-7");
        assertThat(enrol.path("action").asString()).isEqualTo("enrol");
        assertThat(enrol.path("fault").isNull()).isTrue();
    }

    @Test
    void the_query_of_cloud_calls_is_passed_on_unchanged() {
        client.get(
                "auditor",
                "/api/audit/calls?lease=%s&resource=7&request=%s&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z&limit=5"
                        .formatted(LEASE.value(), REQUEST));

        assertThat(calls.lastQuestion())
                .isEqualTo(
                        new ListCalls(
                                LEASE, new ResourceId(7), REQUEST, NOVEMBER, DECEMBER, null, 5));
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
        "calls?from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z, to",
        "calls?from=yesterday, from",
        "denied?from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z, to",
        "denied?to=tomorrow, to",
    })
    void an_invalid_window_is_rejected_with_the_field_name(String query, String field) {
        assertThat(client.get("auditor", "/api/audit/" + query).names(field)).isTrue();
    }

    @Test
    void an_invalid_marker_is_rejected_with_the_field_name() {
        Answer refused = client.get("auditor", "/api/audit/calls?marker=x");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("marker");
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
        String lease = lease();
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
    void an_erasure_of_origins_is_counted_and_shown_to_auditors() {
        Answer erased =
                client.send(
                        client.request(
                                        "admin",
                                        "/api/audit/origins?user=eve&before=2026-11-01T00:00:00Z")
                                .header("Leasehold-Reason", "she asked")
                                .DELETE());

        assertThat(erased.json().path("erased").asInt()).isEqualTo(3);
        JsonNode listed = client.get("auditor", "/api/audit/erasures").json().at("/erasures/0");
        assertThat(listed.path("user_id").asString()).isEqualTo("u-admin");
        assertThat(listed.path("of_user_id").asString()).isEqualTo("eve");
        assertThat(listed.path("before").asString()).isEqualTo("2026-11-01T00:00:00Z");
        assertThat(listed.path("reason").asString()).isEqualTo("she asked");
        assertThat(listed.path("erased").asInt()).isEqualTo(3);
        assertThat(listed.path("request_id").asString())
                .isEqualTo(erased.header("x-openstack-request-id"));
        assertThat(client.get("auditor", "/api/audit/erasures?marker=x").names("marker")).isTrue();
    }

    @Test
    void an_auditor_reads_the_changes_of_subscriptions() {
        UUID hook = UUID.randomUUID();
        var done =
                new Done(
                        SubscriptionChanges.Kind.WEBHOOK,
                        hook,
                        new ProjectId("p1"),
                        SubscriptionChanges.Action.SECRET_REPLACED,
                        Map.of("secret", "…"),
                        null);
        changes.changes.add(
                new SubscriptionChange(
                        ApiTestServer.NOW,
                        done,
                        new UserId("u-admin"),
                        new ProjectId("ops"),
                        List.of("admin"),
                        "basic",
                        REQUEST,
                        RequestOrigin.of("192.0.2.7", "curl/8"),
                        "it leaked"));

        JsonNode listed =
                client.get(
                                "auditor",
                                "/api/audit/subscriptions?user=u&project=p&subscription=%s&limit=5"
                                        .formatted(hook))
                        .json()
                        .at("/changes/0");

        assertThat(changes.asked).isEqualTo(new ListChanges("u", "p", hook, null, 5));
        assertThat(listed.path("at").asString()).isEqualTo(ApiTestServer.NOW.toString());
        assertThat(listed.path("kind").asString()).isEqualTo("webhook");
        assertThat(listed.path("subscription_id").asString()).isEqualTo(hook.toString());
        assertThat(listed.path("project_id").asString()).isEqualTo("p1");
        assertThat(listed.path("action").asString()).isEqualTo("secret_replaced");
        assertThat(listed.at("/before/secret").asString()).isEqualTo("…");
        assertThat(listed.path("after").isNull()).isTrue();
        assertThat(listed.path("user_id").asString()).isEqualTo("u-admin");
        assertThat(listed.path("user_project_id").asString()).isEqualTo("ops");
        assertThat(listed.at("/roles/0").asString()).isEqualTo("admin");
        assertThat(listed.path("authentication").asString()).isEqualTo("basic");
        assertThat(listed.path("request_id").asString()).isEqualTo(REQUEST);
        assertThat(listed.path("address").asString()).isEqualTo("192.0.2.7");
        assertThat(listed.path("agent").asString()).isEqualTo("curl/8");
        assertThat(listed.path("reason").asString()).isEqualTo("it leaked");
        assertThat(client.get("auditor", "/api/audit/subscriptions?marker=x").names("marker"))
                .isTrue();
    }

    @Test
    void an_erasure_of_origins_requires_a_user() {
        Answer refused = client.send("admin", "DELETE", "/api/audit/origins", null);

        assertThat(refused.names("user")).isTrue();
    }

    @Test
    void other_requests_are_not_recorded_as_denials() throws InterruptedException {
        String lease = lease();
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

    /** Waits, because the response to a denied attempt does not wait for its record. */
    private DeniedAttempt next() throws InterruptedException {
        DeniedAttempt attempt = attempts.attempts.poll(10, TimeUnit.SECONDS);
        assertThat(attempt).isNotNull();
        return attempt;
    }

    private String lease() {
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
