package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiFixture;
import org.leasehold.gateway.api.ApiTest;

/** Unknown names of fields, parameters and properties suggest the near known ones. */
@ApiTest
class MisspeltNamesTest extends ApiLeasesFixture {

    @Test
    void an_unknown_field_suggests_the_near_one() {
        assertSuggests(
                lease("{\"knd\": \"physical:host\", \"parameters\": {\"min\": 1, \"max\": 1}}"),
                "reservations[0].knd",
                "is unknown; did you mean \"kind\"?");
        assertSuggests(
                client.send("member", "POST", "/api/leases", "{\"reservation\": []}"),
                "reservation",
                "is unknown; did you mean \"reservations\"?");
    }

    @Test
    void an_unknown_parameter_suggests_the_near_one() {
        assertSuggests(
                lease("{\"kind\": \"physical:host\", \"parameters\": {\"mim\": 1, \"max\": 1}}"),
                "reservations[0].parameters.mim",
                "is unknown; did you mean \"min\"?");
    }

    @Test
    void an_unknown_parameter_of_a_change_suggests_the_near_one() {
        Answer created = create();

        assertSuggests(
                change(created.json(), "\"mxa\": 2"),
                "reservations[0].parameters.mxa",
                "is unknown; did you mean \"max\"?");
    }

    @Test
    void a_parameter_that_only_the_cloud_adds_is_not_suggested() {
        Answer refused =
                lease(
                        "{\"kind\": \"flavor:instance\", \"parameters\":"
                                + " {\"flavour\": \"small\", \"amount\": 1}}");

        assertSuggests(refused, "reservations[0].parameters.flavour", "is unknown");
    }

    @Test
    void an_unknown_query_parameter_suggests_the_near_one() {
        assertSuggests(
                client.get("member", "/api/leases?stauts=active"),
                "stauts",
                "is unknown; did you mean \"status\"?");
        assertSuggests(
                client.get("member", "/api/leases?" + "x".repeat(2_000) + "=1"),
                "x".repeat(2_000),
                "is unknown");
    }

    @Test
    void an_unknown_property_suggests_visible_ones_only() {
        enrol();
        client.send(
                "admin", "PATCH", "/api/properties/physical:host/gpuModel", "{\"hidden\": true}");

        assertSuggests(
                openings("admin", "gpuModle"),
                "requirement",
                "no host has a property gpuModle; did you mean \"gpuModel\"?");
        assertSuggests(
                openings("member", "gpuModle"), "requirement", "no host has a property gpuModle");
    }

    private Answer lease(String reservation) {
        return named("x", reservation);
    }

    private Answer openings(String user, String property) {
        return client.get(
                user,
                "/api/availability?kind=physical:host&duration=PT2H&requirement="
                        + ApiFixture.encoded("[\"==\", \"$" + property + "\", \"V100\"]"));
    }

    private static void assertSuggests(Answer refused, String field, String message) {
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(refused.json().at("/errors/0/message").asString()).isEqualTo(message);
    }
}
