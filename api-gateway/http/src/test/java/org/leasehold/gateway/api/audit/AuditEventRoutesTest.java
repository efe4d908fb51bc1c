package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.lease.Action;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the details of one event, and the chain of a request. */
@ApiTest
class AuditEventRoutesTest extends AuditRoutesFixture {

    @Test
    void an_event_of_a_lease_shows_the_changed_fields() {
        String lease =
                client.send(
                                "member",
                                "POST",
                                "/api/leases",
                                """
                                {"name": "night", "end": "2026-11-22T10:00:00Z", "reservations":
                                  [{"kind": "physical:host", "parameters": {"min": 1, "max": 1,
                                    "hypervisor_properties": "", "resource_properties": ""}}]}
                                """)
                        .json()
                        .path("id")
                        .asString();
        long made = engine.position();
        client.send("member", "PATCH", "/api/leases/" + lease, "{\"name\": \"day\"}");
        while (trail.find(made + 1).isEmpty()) {
            trail.happened("Lease", lease, "LeaseRenamed", REQUEST, null, null, "{}");
        }

        JsonNode shown = client.get("auditor", EVENTS + "/" + (made + 1)).json();

        assertThat(shown.at("/event/position").asLong()).isEqualTo(made + 1);
        assertThat(shown.at("/before/name").asString()).isEqualTo("night");
        assertThat(shown.at("/after/name").asString()).isEqualTo("day");
        assertThat(shown.path("before").has("project_id")).isFalse();
    }

    @Test
    void an_event_of_a_resource_shows_the_changed_fields() {
        enrol("{\"gpu\": \"K80\", \"rack\": \"a\"}");
        long enrolled = engine.position();
        client.send(
                "admin",
                "PATCH",
                "/api/resources/1",
                "{\"set\": {\"gpu\": \"V100\"}, \"remove\": [\"rack\"]}");
        client.send("admin", "POST", "/api/resources/1/disable", "{\"reason\": \"on fire\"}");
        client.send("admin", "DELETE", "/api/resources/1", null);

        JsonNode first = changed("auditor", "Resource", "1", enrolled);
        assertThat(first.path("before")).isEmpty();
        assertThat(first.at("/after/name").asString()).isEqualTo("compute-1");
        assertThat(first.at("/after/capabilities").path("gpu").asString()).isEqualTo("K80");
        JsonNode change = changed("auditor", "Resource", "1", enrolled + 1);
        assertThat(fields(change.path("before")))
                .containsEntry("capabilities.gpu", "K80")
                .containsEntry("capabilities.rack", "a")
                .doesNotContainKeys("name", "reservable");
        assertThat(fields(change.path("after")))
                .containsEntry("capabilities.gpu", "V100")
                .doesNotContainKeys("capabilities.rack", "name");
        JsonNode disabled = changed("auditor", "Resource", "1", enrolled + 2);
        assertThat(disabled.at("/before/reservable").asBoolean()).isTrue();
        assertThat(disabled.at("/after/reservable").asBoolean()).isFalse();
        assertThat(disabled.at("/after/disabled_reason").asString()).isEqualTo("on fire");
        JsonNode last = changed("auditor", "Resource", "1", enrolled + 3);
        assertThat(last.at("/before/name").asString()).isEqualTo("compute-1");
        assertThat(last.path("after")).isEmpty();
    }

    @Test
    void only_administrators_see_a_change_of_a_hidden_capability() {
        enrol("{\"gpu\": \"K80\", \"rack\": \"a\"}");
        client.send(
                "admin",
                "PATCH",
                "/api/resources/1",
                "{\"set\": {\"gpu\": \"V100\", \"rack\": \"b\"}}");
        long change = engine.position();
        client.send("admin", "PATCH", "/api/properties/physical:host/gpu", "{\"hidden\": true}");

        String seen = changed("auditor", "Resource", "1", change).toString();
        assertThat(seen).contains("capabilities.rack").doesNotContain("K80", "V100", "gpu");
        assertThat(changed("admin", "Resource", "1", change).toString())
                .contains("\"capabilities.gpu\":\"K80\"", "\"capabilities.gpu\":\"V100\"");
    }

    @Test
    void an_event_of_a_property_shows_the_change_of_visibility() {
        enrol("{\"gpu\": \"K80\"}");
        long enrolled = engine.position();
        for (boolean hidden : List.of(true, true, false)) {
            client.send(
                    "admin",
                    "PATCH",
                    "/api/properties/physical:host/gpu",
                    "{\"hidden\": %s}".formatted(hidden));
        }

        JsonNode hid = changed("admin", "Property", "physical:host/gpu", enrolled + 1);
        assertThat(hid.at("/before/hidden").asBoolean(true)).isFalse();
        assertThat(hid.at("/before/updated_at").isNull()).isTrue();
        assertThat(hid.at("/after/hidden").asBoolean()).isTrue();
        assertThat(hid.at("/after/updated_at").asString()).isEqualTo(ApiTestServer.NOW.toString());
        JsonNode again = changed("admin", "Property", "physical:host/gpu", enrolled + 2);
        assertThat(again.path("after").has("hidden")).isFalse();
        JsonNode showed = changed("auditor", "Property", "physical:host/gpu", enrolled + 3);
        assertThat(showed.at("/before/hidden").asBoolean()).isTrue();
        assertThat(showed.at("/after/hidden").asBoolean(true)).isFalse();
    }

    @Test
    void an_event_of_observed_use_shows_no_changed_fields() {
        trail.happened("Use", "use-1", "UseObserved", null, null, null, "{}");

        JsonNode shown = client.get("auditor", EVENTS + "/2").json();

        assertThat(shown.at("/event/type").asString()).isEqualTo("UseObserved");
        assertThat(shown.path("before")).isEmpty();
        assertThat(shown.path("after")).isEmpty();
    }

    private void enrol(String capabilities) {
        client.send(
                "admin",
                "POST",
                "/api/resources",
                "{\"kind\": \"physical:host\", \"name\": \"compute-1\", \"capabilities\": %s}"
                        .formatted(capabilities));
    }

    /** Returns the response about the event that the engine stored at a position. */
    private JsonNode changed(String user, String streamType, String stream, long position) {
        trail.forget();
        while (trail.find(position).isEmpty()) {
            trail.happened(streamType, stream, "Something", null, null, null, "{}");
        }
        return client.get(user, EVENTS + "/" + position).json();
    }

    private static Map<String, String> fields(JsonNode object) {
        return object.propertyStream()
                .collect(toMap(Map.Entry::getKey, field -> field.getValue().asString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/99", "/0", "/x", "/99/chain"})
    void an_unknown_event_answers_404(String path) {
        assertThat(client.get("auditor", EVENTS + path).status()).isEqualTo(404);
    }

    @Test
    void a_chain_contains_the_events_and_cloud_calls_of_a_request() {
        happened("LeaseRequested", null);
        happened("ReservationGranted", null);
        happened("LeaseStarting", 2L);
        happened("ReservationActivated", 4L);
        happened("LeaseEnding", 2L);
        happened("LeaseActivated", 4L);
        call(4, 1);
        call(4, 2);
        call(6, 1);
        call(99, 1);

        JsonNode chain = client.get("auditor", EVENTS + "/5/chain").json();

        assertThat(chain.path("request_id").asString()).isEqualTo(REQUEST);
        assertThat(chain.path("complete").asBoolean()).isTrue();
        assertThat(chain.path("steps").valueStream())
                .extracting(AuditEventRoutesTest::step)
                .containsExactly(
                        "0 LeaseRequested",
                        "1 LeaseStarting 2",
                        "2 start 1 4",
                        "2 start 2 4",
                        "2 ReservationActivated 4",
                        "2 LeaseActivated 4",
                        "1 LeaseEnding 2",
                        "2 start 1 6",
                        "0 ReservationGranted",
                        "0 start 1");
    }

    @Test
    void a_chain_of_an_event_without_a_request_contains_only_that_event() {
        JsonNode chain = client.get("auditor", EVENTS + "/1/chain").json();

        assertThat(chain.path("request_id").isNull()).isTrue();
        assertThat(chain.path("complete").asBoolean()).isTrue();
        assertThat(chain.path("steps").valueStream())
                .extracting(AuditEventRoutesTest::step)
                .containsExactly("0 ResourceEnabled");
    }

    @Test
    void a_chain_of_more_than_1000_events_is_marked_incomplete() {
        for (int i = 0; i < 1001; i++) {
            trail.happened("Lease", LEASE.toString(), "LeaseRenamed", "req-many", null, null, "{}");
        }

        JsonNode chain = client.get("auditor", EVENTS + "/5/chain").json();

        assertThat(chain.path("complete").asBoolean()).isFalse();
        assertThat(chain.path("steps").valueStream().filter(step -> step.has("event")))
                .hasSize(1000);
    }

    private static String step(JsonNode step) {
        JsonNode call = step.path("call");
        String what =
                call.isMissingNode()
                        ? step.at("/event/type").asString()
                        : call.path("action").asString() + " " + call.path("attempt").asInt();
        JsonNode because = step.path("because_of");
        return step.path("depth").asInt()
                + " "
                + what
                + (because.isMissingNode() ? "" : " " + because.asLong());
    }

    /** The pages are those of a list whose newest call is its first. */
    private void call(long causation, int attempt) {
        calls.addFirst(
                new CloudCall(
                        new Target.Reservation(
                                LEASE, new ReservationId(new UUID(0, 2)), Action.START),
                        attempt,
                        ApiTestServer.NOW,
                        ApiTestServer.NOW,
                        null,
                        REQUEST,
                        new UUID(0, causation).toString()));
    }
}
