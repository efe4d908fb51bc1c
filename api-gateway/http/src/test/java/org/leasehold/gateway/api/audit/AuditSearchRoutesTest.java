package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.AuditTrail.Filter;
import org.leasehold.readmodel.audit.AuditTrail.Search;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

@ApiTest
class AuditSearchRoutesTest extends AuditRoutesFixture {

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
    void an_event_type_has_a_short_and_a_qualified_name() {
        client.get("auditor", EVENTS + "?type=org.leasehold.LeaseEnded");
        assertThat(trail.lastSearch().filter().type()).isEqualTo("LeaseEnded");

        Answer unknown = client.get("auditor", EVENTS + "?type=LeaseEnd");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.json().at("/errors/0/field").asString()).isEqualTo("type");
        assertThat(unknown.json().at("/errors/0/message").asString())
                .startsWith("must be one of ")
                .contains(", LeaseEnded, ");
    }

    @Test
    void an_auditor_reads_the_origin_of_an_event() {
        trail.happened(
                "Lease",
                LEASE.toString(),
                "LeaseRenamed",
                FakeAuditTrail.REQUEST_WITH_ORIGIN,
                null,
                null,
                "{}");

        JsonNode events = client.get("auditor", EVENTS).json().path("events");

        assertThat(events.at("/0/address").asString()).isEqualTo("192.0.2.7");
        assertThat(events.at("/0/agent").asString()).isEqualTo("=curl");
        assertThat(events.at("/1/address").isNull()).isTrue();
        assertThat(events.at("/1/agent").isNull()).isTrue();
        assertThat(as("auditor", CSV, "").response().body()).contains("{},192.0.2.7,'=curl,,,\r\n");
        assertThat(as("auditor", LINES, "").response().body())
                .contains("\"address\":\"192.0.2.7\"");
        assertThat(client.get("auditor", EVENTS + "/2").json().at("/event/address").asString())
                .isEqualTo("192.0.2.7");
        JsonNode step = client.get("auditor", EVENTS + "/2/chain").json().at("/steps/0/event");
        assertThat(step.path("address").asString()).isEqualTo("192.0.2.7");
    }

    @Test
    void an_event_has_the_current_names_of_the_lease_and_the_resource() {
        happened("LeaseActivated", null);
        labels.add(
                LEASE, new LeaseLabel("nightly", new ProjectId("p1"), new UserId("ada"), Map.of()));
        labels.add(new ResourceId(7), new ResourceLabel("compute-7", "east"));

        JsonNode page = client.get("auditor", EVENTS).json();

        assertThat(page.at("/events/0/lease_name").asString()).isEqualTo("nightly");
        assertThat(page.at("/events/0/resource_name").isNull()).isTrue();
        assertThat(page.at("/events/1/resource_name").asString()).isEqualTo("compute-7");
        assertThat(page.at("/events/1/resource_zone").asString()).isEqualTo("east");
        assertThat(labels.questions()).as("one query a page").containsExactly(Set.of(LEASE));
        assertThat(client.get("auditor", EVENTS + "/2").json().at("/event/lease_name").asString())
                .isEqualTo("nightly");
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
}
