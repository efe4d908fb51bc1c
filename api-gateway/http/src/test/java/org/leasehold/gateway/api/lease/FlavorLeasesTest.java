package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Tests leases of instances with a flavor. */
@ApiTest
class FlavorLeasesTest extends ApiLeasesFixture {

    private static String ofFlavor(String parameters) {
        return """
        {"name": "small", "end": "2026-11-22T10:00:00Z",
         "reservations": [{"kind": "flavor:instance", "parameters": %s}]}
        """
                .formatted(parameters);
    }

    private Answer createOfFlavor(String user, String flavor) {
        String parameters =
                "{\"flavor_id\": \"%s\", \"amount\": 2, \"affinity\": \"none\"}".formatted(flavor);
        return client.send(user, "POST", "/api/leases", ofFlavor(parameters));
    }

    @Test
    void a_flavor_lease_includes_the_flavor_details_of_the_cloud() {
        JsonNode lease = createOfFlavor("member", "small").json();

        assertThat(lease.at("/reservations/0/parameters/flavor/name").asString())
                .isEqualTo("m1.small");
        assertThat(lease.at("/reservations/0/parameters/flavor_id").asString()).isEqualTo("small");
    }

    @Test
    void a_flavor_that_the_project_cannot_use_is_rejected() {
        for (String flavor : List.of("none", "private")) {
            Answer refused = createOfFlavor("member", flavor);

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.names("reservations[0].parameters.flavor_id")).isTrue();
        }
    }

    @Test
    void an_unavailable_cloud_answers_503_with_retry_after() {
        Answer away = createOfFlavor("member", "away");

        assertThat(away.status()).isEqualTo(503);
        assertThat(away.isProblem()).isTrue();
        assertThat(away.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void a_caller_cannot_set_the_values_of_a_flavor() {
        String parameters =
                """
                {"flavor_id": "small", "amount": 2, "affinity": "none", "flavor": {"vcpus": 1}}
                """;
        Answer refused = client.send("member", "POST", "/api/leases", ofFlavor(parameters));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.names("reservations[0].parameters.flavor")).isTrue();

        JsonNode lease = createOfFlavor("member", "small").json();
        Answer unchanged = change(lease, "\"flavor\": {\"vcpus\": 1}");
        assertThat(unchanged.status()).isEqualTo(400);
        assertThat(unchanged.names("reservations[0].parameters.flavor")).isTrue();
    }

    @Test
    void a_change_of_flavor_requires_an_existing_flavor() {
        JsonNode lease = createOfFlavor("member", "small").json();

        assertThat(
                        change(lease, "\"flavor_id\": \"large\"")
                                .json()
                                .at("/reservations/0/parameters/flavor/vcpus")
                                .asInt())
                .isEqualTo(8);
        Answer refused = change(lease, "\"flavor_id\": \"none\"");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.names("reservations[0].parameters.flavor_id")).isTrue();
    }

    @Test
    void the_availability_query_supports_flavors() {
        String question =
                """
                {"kind": "flavor:instance", "duration": "PT1H", "parameters":
                  {"flavor_id": "%s", "amount": 2, "affinity": "none"}}
                """;
        Answer known = ask(question.formatted("small"));
        assertThat(known.status()).as(known.toString()).isEqualTo(200);
        Answer refused = ask(question.formatted("private"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.names("parameters.flavor_id")).isTrue();
    }

    private Answer ask(String question) {
        return client.send("member", "POST", "/api/availability", question);
    }
}
