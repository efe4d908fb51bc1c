package org.leasehold.gateway.api.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Tests the route of capacity. */
@ApiTest
class CapacityRoutesTest extends CapacityRoutesFixture {

    @Test
    void the_capacity_of_a_window_is_returned_in_buckets() {
        Answer answer = client.get("planner", HOSTS + FROM + "&to=2026-11-01T02:00:00Z&wanted=7");

        assertThat(answer.json().toString())
                .isEqualTo(
                        """
                        {"kind":"physical:host","from":"2026-11-01T00:00:00Z",\
                        "to":"2026-11-01T02:00:00Z","series":[{\
                        "most_reserved":{"at":"2026-11-01T00:00:00Z","amount":2.5},\
                        "least_headroom":{"at":"2026-11-01T00:00:00Z","amount":6.5},\
                        "shortage":{"at":"2026-11-01T00:00:00Z","amount":6.5},\
                        "buckets":[{"start":"2026-11-01T00:00:00Z",\
                        "starts":"2026-11-01T00:00:00Z","end":"2026-11-01T02:00:00Z",\
                        "ends":"2026-11-01T02:00:00Z",\
                        "enrolled":10,"reservable":9,"reserved":2.5,"active":1,"idle":0.25,\
                        "headroom":6.5,"refused":0}]}]}\
                        """);
    }

    @Test
    void the_query_is_passed_on_with_the_window_rounded_to_hours() {
        String requirement =
                URLEncoder.encode("[\"==\", \"$gpu\", \"V100\"]", StandardCharsets.UTF_8);

        Answer answer =
                client.get(
                        "planner",
                        HOSTS
                                + "&zone=east&by=gpu&bucket=P1D&wanted=3&requirement="
                                + requirement
                                + "&from=2026-11-01T00:20:00Z&to=2026-11-03T00:20:00Z");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(capacity.lastQuestion())
                .isEqualTo(
                        new AskCapacity(
                                ResourceKind.PHYSICAL_HOST,
                                "east",
                                new Comparison(Operator.EQUAL, "gpu", "V100"),
                                "gpu",
                                Instant.parse("2026-11-01T00:00:00Z"),
                                Instant.parse("2026-11-03T01:00:00Z"),
                                Duration.ofDays(1),
                                3,
                                null));
    }

    @Test
    void the_default_window_is_the_next_thirty_days_by_hour() {
        client.get("auditor", HOSTS);

        Instant hour = Instant.parse("2026-11-21T00:00:00Z");
        assertThat(capacity.lastQuestion())
                .isEqualTo(
                        new AskCapacity(
                                ResourceKind.PHYSICAL_HOST,
                                null,
                                Requirement.none(),
                                null,
                                hour,
                                hour.plus(Duration.ofDays(30)),
                                Duration.ofHours(1),
                                1,
                                null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"&to=9999-12-31T23:59:59Z", ""})
    void the_last_window_ends_with_the_last_instant_of_requests(String to) {
        Answer answer = client.get("planner", HOSTS + "&from=9999-12-31T00:00:00Z" + to);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().path("to").asString()).isEqualTo("9999-12-31T23:59:59Z");
        assertThat(answer.json().at("/series/0/buckets/0/ends").asString())
                .isEqualTo("9999-12-31T23:59:59Z");
        assertThat(capacity.lastQuestion().to()).isEqualTo(Instant.parse("+10000-01-01T00:00:00Z"));
    }

    @Test
    void a_query_as_of_an_instant_uses_the_position_of_the_response() {
        Answer answer = client.get("planner", HOSTS + "&as_of=" + ApiTestServer.NOW);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(capacity.lastQuestion().asOf()).isEqualTo(answer.position());
    }

    @ParameterizedTest
    @CsvSource({
        "kind=physical:pumpkin, kind",
        "zone=east, kind",
        "kind=physical:host&from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z, to",
        "kind=physical:host&from=2026-11-02T01:00:00Z&to=2026-11-02T00:00:00Z, to",
        "kind=physical:host&from=2020-11-02T00:00:00Z&to=2026-11-02T00:00:00Z, bucket",
        "kind=physical:host&bucket=PT30M, bucket",
        "kind=physical:host&bucket=PT1H1S, bucket",
        "kind=physical:host&bucket=PT0S, bucket",
        "kind=physical:host&bucket=P367D, bucket",
        "kind=physical:host&bucket=hour, bucket",
        "kind=physical:host&requirement=x, requirement",
        "kind=physical:host&wanted=0, wanted",
        "kind=physical:host&from=2026-11-01T00:00:00Z&to=2027-12-22T17:00:00Z, bucket",
        "kind=physical:host&as_of=2099-01-01T00:00:00Z, as_of",
        "kind=physical:host&colour=red, colour"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("planner", "/api/capacity?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }

    @Test
    void a_planner_cannot_group_or_filter_by_a_hidden_property() {
        client.send(
                "admin",
                "POST",
                "/v1/os-hosts",
                "{\"name\": \"compute-9\", \"secretModel\": \"x\"}");
        Answer hidden =
                client.send(
                        "admin",
                        "PATCH",
                        "/api/properties/physical:host/secretModel",
                        "{\"hidden\": true}");
        assertThat(hidden.status()).as(hidden.toString()).isEqualTo(200);
        String requirement =
                URLEncoder.encode("[\"==\", \"$secretModel\", \"x\"]", StandardCharsets.UTF_8);

        Answer by = client.get("planner", HOSTS + "&by=secretModel");
        Answer required = client.get("planner", HOSTS + "&requirement=" + requirement);
        Answer foreseen =
                client.get(
                        "planner",
                        "/api/capacity/forecast?kind=physical:host&requirement=" + requirement);

        assertThat(by.names("by")).as(by.toString()).isTrue();
        assertThat(required.names("requirement")).as(required.toString()).isTrue();
        assertThat(foreseen.names("requirement")).as(foreseen.toString()).isTrue();
        assertThat(client.get("admin", HOSTS + "&by=secretModel").status()).isEqualTo(200);
    }

    @Test
    void a_project_user_cannot_read_the_capacity() {
        assertThat(client.get("member", HOSTS).status()).isEqualTo(403);
        assertThat(client.get("reader", HOSTS).status()).isEqualTo(403);
    }
}
