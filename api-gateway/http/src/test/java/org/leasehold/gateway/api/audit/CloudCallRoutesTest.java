package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.CloudCalls.ListCalls;
import org.leasehold.readmodel.operation.StuckActionQuery.Change;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/** The cloud calls that auditors read. */
@ApiTest
class CloudCallRoutesTest extends AuditRoutesFixture {

    private static final ReservationId RESERVATION = new ReservationId(UUID.randomUUID());

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

    @ParameterizedTest
    @CsvSource({
        "calls?from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z, to",
        "calls?from=yesterday, from",
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
}
