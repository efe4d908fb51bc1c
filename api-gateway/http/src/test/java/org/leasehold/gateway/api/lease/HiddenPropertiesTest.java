package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiFixture;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.lease.LeaseResponses.HistoryEvent;
import org.leasehold.readmodel.lease.HistoryEntry;

import java.util.List;
import java.util.Map;

/** Tests which properties and parameters a caller sees, and which properties may be in a filter. */
@ApiTest
class HiddenPropertiesTest extends ApiLeasesFixture {

    @Test
    void the_name_of_a_capability_keeps_the_letter_case() {
        enrol();
        assertThat(
                        client.get("admin", "/api/resources")
                                .json()
                                .at("/resources/0/capabilities/gpuModel")
                                .asString())
                .isEqualTo("V100");
    }

    @Test
    void a_hidden_property_is_shown_to_administrators_only() {
        enrol();
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");
        String list = "/api/properties?kind=physical:host";
        assertThat(client.get("planner", list).json().path("properties").size()).isZero();
        assertThat(client.get("admin", list).json().path("properties").size()).isOne();
    }

    @Test
    void a_filter_with_an_unknown_name_is_refused_with_a_suggestion() {
        enrol();

        Answer refused = openings("member", "gpuModle");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("requirement")).as(refused.toString()).isTrue();
        assertThat(refused.json().path("detail").asString())
                .contains("no host has a property gpuModle; did you mean \"gpuModel\"?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"==\", \"$vcpus\", 7]",
                "[\"in\", \"$vcpus\", [\"7\", 7]]",
                "[\"and\", [\"==\", \"$vcpus\", 7.5]]",
                "\"[\\\"==\\\", \\\"$vcpus\\\", 7]\""
            })
    void a_filter_with_a_number_is_rejected_with_the_field_name(String filter) {
        Answer refused =
                named(
                        "x",
                        """
                        {"kind": "physical:host", "parameters":
                          {"min": 1, "max": 1, "resource_properties": %s}}
                        """
                                .formatted(filter));

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("reservations[0].parameters.resource_properties"))
                .as(refused.toString())
                .isTrue();
    }

    @Test
    void a_filter_accepts_visible_properties_and_resource_fields() {
        enrol();

        for (String name :
                List.of("gpuModel", "zone", "region", "id", "name", "kind", "free_vcpus")) {
            Answer found = openings("member", name);
            assertThat(found.status()).as(found.toString()).isEqualTo(200);
        }
    }

    @Test
    void a_filter_treats_a_hidden_property_like_an_unknown_property() {
        enrol();
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");

        for (String user : List.of("member", "planner")) {
            for (String prefix : List.of("", "free_", "capabilities:", "capabilities:free_")) {
                Answer hidden = openings(user, prefix + "gpuModel");
                Answer unknown = openings(user, prefix + "gpuWheel");
                assertThat(hidden.status()).as(hidden.toString()).isEqualTo(400);
                assertThat(hidden.json().path("detail").asString())
                        .isEqualTo(
                                unknown.json()
                                        .path("detail")
                                        .asString()
                                        .replace("gpuWheel", "gpuModel"));
            }
        }
        assertThat(openings("admin", "gpuModel").status()).isEqualTo(200);
    }

    @Test
    void every_lease_request_rejects_a_hidden_property_as_unknown() {
        enrol();
        String lease = create().header("Location");
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");
        String reservation = client.get("member", lease).json().at("/reservations/0/id").asString();
        String filter = "[\"==\", \"$gpuModel\", \"V100\"]";
        String parameters =
                "{\"min\": 1, \"max\": 1, \"hypervisor_properties\": \"\","
                        + " \"resource_properties\": %s}".formatted(filter);
        String wish =
                """
                {"name": "x", "end": "2026-11-23T00:00:00Z", "reservations":
                  [{"kind": "physical:host", "parameters": %s}]}
                """
                        .formatted(parameters);

        Map<String, Answer> answers =
                Map.of(
                        "create", client.send("member", "POST", "/api/leases", wish),
                        "dry-run", client.send("member", "POST", "/api/leases/dry-run", wish),
                        "quote", client.send("member", "POST", "/api/quote", wish),
                        "availability",
                                client.send(
                                        "member",
                                        "POST",
                                        "/api/availability",
                                        """
                                        {"kind": "physical:host", "duration": "PT1H",
                                         "parameters": %s}
                                        """
                                                .formatted(parameters)),
                        "change",
                                client.send(
                                        "member",
                                        "PATCH",
                                        lease,
                                        """
                                        {"reservations": [{"id": "%s", "parameters":
                                          {"resource_properties": %s}}]}
                                        """
                                                .formatted(reservation, filter)));

        answers.forEach(
                (what, answer) -> {
                    assertThat(answer.status()).as(what + " " + answer).isEqualTo(400);
                    assertThat(answer.response().body())
                            .as(what)
                            .contains("no host has a property gpuModel");
                });
    }

    private Answer openings(String user, String property) {
        return client.get(
                user,
                "/api/availability?kind=physical:host&duration=PT2H&requirement="
                        + ApiFixture.encoded("[\"==\", \"$" + property + "\", \"V100\"]"));
    }

    @Test
    void only_administrators_see_a_hidden_property_of_a_resource() {
        long host = enrol();
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");
        for (String path :
                List.of(
                        "/api/resources",
                        "/api/resources/" + host,
                        "/v1/os-hosts",
                        "/v1/os-hosts/" + host)) {
            assertThat(client.get("admin", path).response().body()).contains("gpuModel");
            assertThat(client.get("planner", path).response().body()).doesNotContain("gpuModel");
            assertThat(client.get("auditor", path).response().body()).doesNotContain("gpuModel");
        }
    }

    @Test
    void a_history_hides_the_properties_of_resources_from_projects() {
        var entry =
                new HistoryEntry(
                        2,
                        1,
                        START,
                        "ReservationGranted",
                        "u",
                        "p",
                        List.of("member"),
                        "req-1",
                        null,
                        null,
                        Map.of(
                                "properties",
                                "of no resource",
                                "allocations",
                                List.of(
                                        Map.of(
                                                "resource",
                                                7,
                                                "name",
                                                "compute-7",
                                                "properties",
                                                Map.of("secret", "x")))));
        assertThat(HistoryEvent.of(entry, true, details -> details).details())
                .isEqualTo(entry.details());
        assertThat(HistoryEvent.of(entry, false, details -> details).details())
                .isEqualTo(
                        Map.of(
                                "properties",
                                "of no resource",
                                "allocations",
                                List.of(Map.of("resource", 7, "name", "compute-7"))));
    }

    @Test
    void a_history_masks_secret_parameters() {
        var entry =
                new HistoryEntry(
                        2,
                        1,
                        START,
                        "LeaseRequested",
                        "u",
                        "p",
                        List.of("member"),
                        "req-1",
                        null,
                        null,
                        Map.of(
                                "reservations",
                                List.of(Map.of("kind", "k", "parameters", Map.of("key", "x")))));

        assertThat(HistoryEvent.of(entry, true, _ -> Map.of("key", "***")).details())
                .isEqualTo(
                        Map.of(
                                "reservations",
                                List.of(Map.of("kind", "k", "parameters", Map.of("key", "***")))));
    }
}
