package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.api.export.Csv;
import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.AuditTrail.Filter;
import org.leasehold.readmodel.audit.AuditTrail.Search;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@ApiTest
class AuditSearchRoutesTest {

    private static final String EVENTS = "/api/audit/events";
    private static final String CSV = "text/csv";
    private static final String LINES = "application/x-ndjson";
    private static final String REQUEST = "req-" + new UUID(7, 7);
    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));

    @Autowired InMemoryEngine engine;
    @Autowired FakeAuditTrail trail;
    @Autowired FakeCloudCalls calls;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        engine.reset();
        trail.forget();
        calls.forget();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    @Test
    void the_query_is_passed_on_unchanged() {
        client.get(
                "auditor",
                EVENTS
                        + "?lease=%s&project=p1&user=ada&resource=7&kind=physical:host&type=LeaseEnded&request=%s&address=192.0.2.0/24&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&marker=9&limit=5"
                                .formatted(LEASE, REQUEST));

        assertThat(trail.lastSearch())
                .isEqualTo(
                        new Search(
                                new Filter(
                                        LEASE,
                                        "p1",
                                        "ada",
                                        Set.of(new ResourceId(7)),
                                        ResourceKind.PHYSICAL_HOST,
                                        "LeaseEnded",
                                        REQUEST,
                                        AddressRange.of("192.0.2.0/24")),
                                Instant.parse("2026-01-01T00:00:00Z"),
                                Instant.parse("2026-02-01T00:00:00Z"),
                                "9",
                                5));
    }

    @ParameterizedTest
    @CsvSource({
        "host=compute-5, 7 8",
        "resource_name=compute-5, 7 9",
        "resource_name=compute-5&kind=physical:host, 7 8",
        "host=compute-5&resource_name=compute-5, 7",
        "host=compute-5&resource=8, 8",
        "host=compute-5&resource=9, ''"
    })
    void a_resource_name_selects_every_resource_that_ever_had_the_name(
            String query, String numbers) {
        client.get("auditor", EVENTS + "?" + query);

        Set<ResourceId> asked = trail.lastSearch().filter().resources();
        assertThat(asked.stream().map(Object::toString).sorted().collect(joining(" ")))
                .isEqualTo(numbers);
    }

    @Test
    void an_auditor_reads_the_origin_of_an_event() {
        trail.happened(
                "Lease",
                LEASE.toString(),
                "LeaseRenamed",
                FakeAuditTrail.REQUEST_OF_SOMEBODY,
                null,
                null,
                "{}");

        JsonNode events = client.get("auditor", EVENTS).json().path("events");

        assertThat(events.at("/0/address").asString()).isEqualTo("192.0.2.7");
        assertThat(events.at("/0/agent").asString()).isEqualTo("=curl");
        assertThat(events.at("/1/address").isNull()).isTrue();
        assertThat(events.at("/1/agent").isNull()).isTrue();
        assertThat(as("auditor", CSV, "").response().body()).contains("{},192.0.2.7,'=curl\r\n");
        assertThat(as("auditor", LINES, "").response().body())
                .contains("\"address\":\"192.0.2.7\"");
        assertThat(client.get("auditor", EVENTS + "/2").json().at("/event/address").asString())
                .isEqualTo("192.0.2.7");
        JsonNode step = client.get("auditor", EVENTS + "/2/chain").json().at("/steps/0/event");
        assertThat(step.path("address").asString()).isEqualTo("192.0.2.7");
    }

    @Test
    void an_auditor_reads_the_user_time_and_reason_of_an_event() {
        trail.happened(
                "Lease",
                LEASE.toString(),
                "LeaseRenamed",
                REQUEST,
                null,
                "a typo",
                "{\"name\": \"n\"}");

        JsonNode page = client.get("auditor", EVENTS).json();

        JsonNode event = page.at("/events/0");
        assertThat(event.path("position").asLong()).isEqualTo(2);
        assertThat(event.path("type").asString()).isEqualTo("LeaseRenamed");
        assertThat(event.path("subject_type").asString()).isEqualTo("lease");
        assertThat(event.path("subject").asString()).isEqualTo(LEASE.toString());
        assertThat(event.path("project_id").asString()).isEqualTo("p1");
        assertThat(event.path("user_id").asString()).isEqualTo("ada");
        assertThat(event.path("user_project_id").asString()).isEqualTo("p2");
        assertThat(event.at("/roles/0").asString()).isEqualTo("member");
        assertThat(event.path("authentication").asString()).isEqualTo("basic");
        assertThat(event.path("request_id").asString()).isEqualTo(REQUEST);
        assertThat(event.path("causation").isNull()).isTrue();
        assertThat(event.path("reason").asString()).isEqualTo("a typo");
        assertThat(event.at("/details/name").asString()).isEqualTo("n");
        assertThat(event.path("recorded_at").asString()).isEqualTo("2026-11-21T00:33:32Z");
        assertThat(page.at("/events/1/type").asString()).isEqualTo("ResourceEnabled");
    }

    @Test
    void the_link_leads_to_the_next_page_of_the_same_search() {
        for (int i = 0; i < 3; i++) {
            lease("LeaseRenamed", "{}");
        }

        Answer first = client.get("auditor", EVENTS + "?user=a%26b&limit=2");

        assertThat(first.json().path("next").asString()).isEqualTo("3");
        assertThat(first.header("Link"))
                .isEqualTo("<" + EVENTS + "?limit=2&marker=3&user=a%26b>; rel=\"next\"");
        Answer second = client.get("auditor", EVENTS + "?limit=2&marker=3&user=a%26b");
        assertThat(second.json().path("events")).hasSize(2);
        assertThat(second.json().path("next").isNull()).isTrue();
        assertThat(second.header("Link")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "marker=x, marker",
        "from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z, to",
        "type=a-b, type",
        "kind=nonsense, kind",
        "request=1, request",
        "lease=1, lease",
        "host=nonsense, host",
        "resource_name=nonsense, resource_name",
        "address=somewhere, address",
        "address=192.0.2, address",
        "address=192.0.2.0/33, address",
        "limit=1001, limit"
    })
    void an_invalid_search_parameter_is_rejected_with_the_field_name(String query, String field) {
        assertThat(client.get("auditor", EVENTS + "?" + query).names(field)).isTrue();
    }

    @Test
    void every_audit_response_omits_hidden_properties_for_auditors() {
        client.send(
                "admin",
                "POST",
                "/api/resources",
                "{\"kind\": \"physical:host\", \"name\": \"compute-1\","
                        + " \"capabilities\": {\"gpuModel\": \"V100\"}}");
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");
        trail.happened(
                "Property",
                "physical:host/gpuModel",
                "PropertyVisibility",
                null,
                null,
                null,
                "{\"kind\": \"physical:host\", \"property\": \"gpuModel\"}");

        assertThat(client.get("auditor", EVENTS).toString())
                .contains("PropertyVisibility")
                .doesNotContain("gpuModel");
        assertThat(client.get("auditor", EVENTS + "/2").toString()).doesNotContain("gpuModel");
        assertThat(client.get("auditor", EVENTS + "/2/chain").toString())
                .doesNotContain("gpuModel");
        assertThat(as("auditor", CSV, "").response().body()).doesNotContain("gpuModel");
        assertThat(as("auditor", LINES, "").response().body()).doesNotContain("gpuModel");
        assertThat(client.get("admin", EVENTS).toString()).contains("gpuModel");
    }

    @Test
    void a_search_can_be_downloaded_as_json_lines_across_all_pages() {
        for (int i = 0; i < 4; i++) {
            lease("LeaseRenamed", "{}");
        }

        Answer answer = as("auditor", LINES, "?user=ada");

        assertThat(answer.header("Content-Type")).startsWith(LINES);
        JsonMapper json = new JsonMapper();
        assertThat(answer.response().body().lines())
                .extracting(line -> json.readTree(line).path("position").asInt())
                .containsExactly(5, 4, 3, 2, 1);
        assertThat(answer.response().body()).endsWith("\n");
    }

    @Test
    void a_search_can_be_downloaded_as_csv() {
        trail.happened(
                "Lease",
                LEASE.toString(),
                "LeaseRenamed",
                REQUEST,
                null,
                "=HYPERLINK(\"x\"),\nnow",
                "{\"name\": \"n\"}");

        Answer answer = as("auditor", CSV, "");

        assertThat(answer.header("Content-Type")).startsWith(CSV);
        assertThat(answer.response().body())
                .isEqualTo(
                        """
                        position,event_id,recorded_at,decided_at,type,subject_type,subject,project_id,user_id,user_project_id,roles,authentication,request_id,causation,reason,details,address,agent
                        2,00000000-0000-0000-0000-000000000002,2026-11-21T00:33:32Z,2026-11-21T00:33:30Z,LeaseRenamed,lease,%s,p1,ada,p2,member reader,basic,%s,,"'=HYPERLINK(""x""),|now","{""name"":""n""}",,
                        1,00000000-0000-0000-0000-000000000001,2026-11-21T00:33:31Z,2026-11-21T00:33:30Z,ResourceEnabled,resource,7,-,ada,p2,member reader,basic,,,,"{""resourceId"":7}",,
                        """
                                .formatted(LEASE, REQUEST)
                                .replace("\n", "\r\n")
                                .replace('|', '\n'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain | plain",
                "a,b | `\"a,b\"`",
                "say \"so\" | `\"say \"\"so\"\"\"`",
                "=1+1 | '=1+1",
                "+1 | '+1",
                "-1 | '-1",
                "@sum | '@sum",
                "- | -",
                "a=b | a=b",
            })
    void a_csv_cell_is_quoted_and_never_a_formula(String value, String cell) {
        assertThat(Csv.escapeCell(value)).isEqualTo(cell);
    }

    @Test
    void a_formula_after_whitespace_is_escaped_in_csv() {
        assertThat(Csv.escapeCell("\t=1")).isEqualTo("'\t=1");
        assertThat(Csv.escapeCell("\r=1")).isEqualTo("\"'\r=1\"");
        assertThat(Csv.escapeCell("a\nb")).isEqualTo("\"a\nb\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {CSV, LINES})
    void an_invalid_download_request_answers_with_an_error(String accept) {
        Answer answer = as("auditor", accept, "?kind=nonsense");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.isProblem()).isTrue();
        assertThat(as("auditor", accept, "?limit=5").names("limit")).isTrue();
        assertThat(as("planner", accept, "").status()).isEqualTo(403);
    }

    @Test
    void a_failed_download_aborts_the_response() {
        // As much as is sent before the response is complete.
        lease("LeaseRenamed", "{\"name\": \"%s\"}".formatted("x".repeat(100_000)));
        lease("LeaseRenamed", "{}");
        for (int i = 0; i <= LongResponseLimiter.MAX_CONCURRENT; i++) {
            assertThatThrownBy(() -> as("auditor", LINES, "?user=broken"))
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    @Timeout(60)
    void a_third_concurrent_download_answers_503() throws Exception {
        try (ExecutorService others =
                Executors.newFixedThreadPool(LongResponseLimiter.MAX_CONCURRENT)) {
            Callable<Answer> slow = () -> as("auditor", CSV, "?user=slow");
            List<Future<Answer>> two = List.of(others.submit(slow), others.submit(slow));
            trail.begun.await();

            Answer third = as("admin", CSV, "");
            trail.goOn.countDown();

            assertThat(third.status()).isEqualTo(503);
            assertThat(third.json().path("type").asString()).isEqualTo("/problems/busy");
            for (Future<Answer> answer : two) {
                assertThat(answer.get().status()).isEqualTo(200);
            }
        }
        assertThat(as("admin", CSV, "").status()).isEqualTo(200);
    }

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
                .extracting(AuditSearchRoutesTest::step)
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
                .extracting(AuditSearchRoutesTest::step)
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

    private void happened(String type, @Nullable Long causation) {
        trail.happened("Lease", LEASE.toString(), type, REQUEST, causation, null, "{}");
    }

    private void lease(String type, String data) {
        trail.happened("Lease", LEASE.toString(), type, null, null, null, data);
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

    private Answer as(String user, String accept, String query) {
        return client.send(client.request(user, EVENTS + query).header("Accept", accept).GET());
    }
}
