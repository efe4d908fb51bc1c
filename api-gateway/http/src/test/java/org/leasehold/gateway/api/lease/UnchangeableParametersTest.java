package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** Tests changes of parameters that stay as they were when the reservation was created. */
@ApiTest
class UnchangeableParametersTest extends ApiLeasesFixture {

    private static final String SPREAD =
            """
            {"kind": "physical:host",
             "parameters": {"min": 1, "max": 1, "selection": "spread"}}
            """;

    @Test
    void another_value_of_an_unchangeable_parameter_is_an_error() {
        JsonNode lease = named("nightly", SPREAD).json();

        for (var change :
                Map.of("selection", "\"first_fit\"", "before_end", "\"snapshot\"").entrySet()) {
            Answer refused =
                    change(lease, "\"%s\": %s".formatted(change.getKey(), change.getValue()));

            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.json().at("/errors/0/field").asString())
                    .isEqualTo("reservations[0].parameters." + change.getKey());
            assertThat(refused.json().at("/errors/0/message").asString())
                    .isEqualTo("cannot be changed");
        }
    }

    @Test
    void the_present_value_of_an_unchangeable_parameter_is_accepted() {
        JsonNode lease = named("nightly", SPREAD).json();

        Answer changed = change(lease, "\"selection\": \"spread\", \"max\": 2");

        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
    }

    @Test
    void a_value_that_the_plug_in_stores_in_another_form_is_accepted() {
        JsonNode lease =
                named(
                                "small",
                                """
                                {"kind": "flavor:instance", "parameters":
                                  {"flavor_id": "small", "amount": 1, "affinity": "none"}}
                                """)
                        .json();

        Answer changed =
                change(lease, "\"flavor_id\": \"small\", \"amount\": 2, \"affinity\": \"none\"");

        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
    }

    @Test
    void the_parameters_of_a_response_are_accepted_as_a_change() {
        JsonNode lease = create().json();
        String shown = lease.at("/reservations/0/parameters").toString();

        Answer changed = change(lease, shown.substring(1, shown.length() - 1));

        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
    }
}
