package org.leasehold.gateway.api.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Forecasts.AskForecast;

import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Tests the route of forecasts. */
@ApiTest
class ForecastRoutesTest extends CapacityRoutesFixture {

    @Test
    void growth_allows_a_forecast_of_a_year() {
        Answer answer =
                client.get(
                        "planner", "/api/capacity/forecast?kind=physical:host&weeks=52&growth=1.5");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(forecast.lastQuestion().weeks()).isEqualTo(52);
        assertThat(forecast.lastQuestion().growth()).isEqualTo(new BigDecimal("1.5"));
    }

    @Test
    void a_forecast_names_the_first_hour_of_a_shortage() {
        Answer answer = client.get("planner", "/api/capacity/forecast?kind=physical:host");

        assertThat(answer.json().path("first_shortage").toString())
                .isEqualTo(
                        """
                        {"start":"2026-11-21T00:00:00Z",\
                        "starts":"2026-11-21T00:00:00Z","expected":12.5,"low":9,"high":16.125,\
                        "reserved":4,"reservable":16}\
                        """);
    }

    @Test
    void a_forecast_includes_the_result_of_the_trial() {
        Answer answer = client.get("planner", "/api/capacity/forecast?kind=physical:host");

        assertThat(answer.json().toString())
                .isEqualTo(
                        """
                        {"kind":"physical:host","from":"2026-11-21T00:00:00Z","offered":true,\
                        "history_weeks":24,"trial":{"weeks":8,"coverage":0.81,"error":3.1,\
                        "error_of_last_week":4.2},"hours":[{"start":"2026-11-21T00:00:00Z",\
                        "starts":"2026-11-21T00:00:00Z",\
                        "expected":12.5,"low":9,"high":16.125,"reserved":4,\
                        "reservable":16}],"first_shortage":{"start":"2026-11-21T00:00:00Z",\
                        "starts":"2026-11-21T00:00:00Z",\
                        "expected":12.5,"low":9,"high":16.125,"reserved":4,"reservable":16}}\
                        """);
    }

    @Test
    void a_forecast_with_a_bad_trial_is_withheld() {
        Answer answer = client.get("planner", "/api/capacity/forecast?kind=physical:host&weeks=2");

        assertThat(answer.json().toString())
                .isEqualTo(
                        """
                        {"kind":"physical:host","from":"2026-11-21T00:00:00Z","offered":false,\
                        "history_weeks":26,"trial":{"weeks":8,"coverage":0.69,"error":3.1,\
                        "error_of_last_week":4.2},"hours":[]}\
                        """);
    }

    @Test
    void the_query_of_a_forecast_is_passed_on_unchanged() {
        String requirement =
                URLEncoder.encode("[\"==\", \"$gpu\", \"V100\"]", StandardCharsets.UTF_8);

        Answer answer =
                client.get(
                        "auditor",
                        "/api/capacity/forecast?kind=physical:host&zone=east&weeks=3&requirement="
                                + requirement);

        assertThat(answer.json().has("trial")).as(answer.toString()).isFalse();
        assertThat(forecast.lastQuestion())
                .isEqualTo(
                        new AskForecast(
                                ResourceKind.PHYSICAL_HOST,
                                "east",
                                new Comparison(Operator.EQUAL, "gpu", "V100"),
                                Instant.parse("2026-11-21T00:00:00Z"),
                                3,
                                null,
                                null));
    }

    @Test
    void a_forecast_as_of_an_instant_starts_in_the_hour_of_the_instant() {
        Answer answer =
                client.get(
                        "planner",
                        "/api/capacity/forecast?kind=physical:host&as_of=2026-11-01T10:20:00Z");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(forecast.lastQuestion().from()).isEqualTo(Instant.parse("2026-11-01T10:00:00Z"));
        assertThat(forecast.lastQuestion().asOf()).isEqualTo(answer.position());
    }

    @ParameterizedTest
    @CsvSource({
        "kind=physical:pumpkin, kind",
        "zone=east, kind",
        "kind=physical:host&weeks=0, weeks",
        "kind=physical:host&weeks=5, weeks",
        "kind=physical:host&weeks=53&growth=1, weeks",
        "kind=physical:host&growth=25.1, growth",
        "kind=physical:host&growth=-26, growth",
        "kind=physical:host&growth=much, growth",
        "kind=physical:host&as_of=2027-01-01T00:00:00Z, as_of",
        "kind=physical:host&requirement=x, requirement",
        "kind=physical:host&by=zone, by"
    })
    void an_invalid_forecast_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("planner", "/api/capacity/forecast?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }
}
