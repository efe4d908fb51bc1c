package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.UUID;

/** Tests the validation of requests for leases, and their refusal, with the messages of Blazar. */
class LeaseRequestValidationTest extends V1TestServer {

    private static String body(String start, String end) {
        return "{\"name\": \"n\", \"start_date\": \"%s\", \"end_date\": \"%s\"}"
                .formatted(start, end);
    }

    @Test
    void the_date_now_means_the_current_minute() {
        String body = body("now", "2026-11-21 10:00");
        assertThat(post("member", "/v1/leases", body).json().at("/lease/start_date").asString())
                .isEqualTo("2026-11-21T00:33:00.000000");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-1-2 3:4, 2027-01-02T03:04:00Z",
        "2027-01-02  03:04, 2027-01-02T03:04:00Z",
    })
    void a_date_may_omit_leading_zeros(String text, Instant date) {
        post("member", "/v1/leases", body("now", text.replace("2026-1", "2027-1")));
        assertThat(((CreateLease) engine.lastCommand()).end()).isEqualTo(date);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-22",
                "2026-11-22T08:00",
                "2026-11-22 08:00:00",
                "2026-02-30 08:00",
                "0000-01-01 00:00",
                "NOW",
                "tomorrow",
                "",
                "20266-01-01 00:00",
                "٢٠٢٦-11-22 08:00"
            })
    void an_invalid_date_is_quoted_in_the_message(String date) {
        Answer answer = post("member", "/v1/leases", body("now", date));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message())
                .isEqualTo(date + " is an invalid date. Required format: %Y-%m-%d %H:%M");
        assertThat(answer.json().path("error_code").asInt()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "5", "[]", "{}", "true"})
    void a_date_that_is_not_a_string_is_invalid(String date) {
        String body =
                "{\"name\": \"n\", \"start_date\": %s, \"end_date\": \"now\"}".formatted(date);
        assertThat(post("member", "/v1/leases", body).message())
                .endsWith(" is an invalid date. Required format: %Y-%m-%d %H:%M");
    }

    @Test
    void the_end_is_announced_an_hour_before_or_at_the_start_of_a_short_lease() {
        post("member", "/v1/leases", body("2026-11-22 08:00", "2026-11-22 10:00"));
        assertThat(((CreateLease) engine.lastCommand()).beforeEnd())
                .isEqualTo(Instant.parse("2026-11-22T09:00:00Z"));
        post("member", "/v1/leases", body("2026-11-22 08:00", "2026-11-22 08:30"));
        assertThat(((CreateLease) engine.lastCommand()).beforeEnd())
                .isEqualTo(Instant.parse("2026-11-22T08:00:00Z"));
        post("member", "/v1/leases", LEASE.replace("null", "\"\""));
        assertThat(((CreateLease) engine.lastCommand()).beforeEnd())
                .isEqualTo(Instant.parse("2026-11-22T09:00:00Z"));
    }

    @Test
    void a_requested_end_announcement_must_lie_inside_the_lease() {
        post("member", "/v1/leases", LEASE.replace("null", "\"2026-11-22 08:01\""));
        assertThat(((CreateLease) engine.lastCommand()).beforeEnd())
                .isEqualTo(Instant.parse("2026-11-22T08:01:00Z"));
        Answer atTheStart =
                post("member", "/v1/leases", LEASE.replace("null", "\"2026-11-22 08:00\""));
        assertThat(atTheStart.status()).isEqualTo(403);
        assertThat(atTheStart.message()).isEqualTo("Datetime is out of lease limits");
    }

    @Test
    void a_lease_may_be_empty_and_a_caller_cannot_set_internal_fields() {
        String body =
                """
                {"name": "", "start_date": "now", "end_date": "2026-11-22 10:00",
                 "id": "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10", "project_id": "p2", "user_id": "x",
                 "trust_id": "t", "status": "ACTIVE", "degraded": true, "created_at": "x",
                 "events": [{"event_type": "delete_lease", "time": "now"}]}
                """;
        JsonNode lease = post("member", "/v1/leases", body).json().path("lease");
        assertThat(lease.path("id").asString())
                .isNotEqualTo("5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10");
        assertThat(lease.path("project_id").asString()).isEqualTo("p1");
        assertThat(lease.path("user_id").asString()).isEqualTo("u-member");
        assertThat(lease.path("status").asString()).isEqualTo("PENDING");
        assertThat(lease.path("degraded").booleanValue()).isFalse();
        assertThat(lease.path("events").size()).isEqualTo(3);
        assertThat(lease.path("reservations").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | Missing parameter name,start_date,end_date",
                "{\"name\": \"n\", \"end_date\": \"now\"} | Missing parameter start_date",
                "{\"name\": null, \"start_date\": \"now\", \"end_date\": \"now\"} | Malformed"
                        + " parameter name",
                "{\"name\": 5, \"start_date\": \"now\", \"end_date\": \"now\"} | Malformed"
                        + " parameter name",
                "{\"name\": \"n\", \"start_date\": \"now\", \"end_date\": \"now\"} | End date must"
                        + " be later than start date.",
                "{\"name\": \"n\", \"start_date\": \"2026-11-21 00:32\", \"end_date\": \"now\"} |"
                        + " Start date must be later than current date",
                "{\"name\": \"n\", \"start_date\": \"now\", \"end_date\": \"now\","
                        + " \"reservations\": null} | Malformed parameter reservations",
                "{\"name\": \"n\", \"start_date\": \"now\", \"end_date\": \"now\","
                        + " \"reservations\": {}} | Malformed parameter reservations",
                "{\"name\": \"n\", \"start_date\": \"now\", \"end_date\": \"now\","
                        + " \"reservations\": [7]} | Malformed parameter reservations",
                "{\"name\": \"n\", \"start_date\": \"now\", \"end_date\": \"now\","
                        + " \"reservations\": [{}]} | Missing parameter resource_type",
            })
    void an_invalid_create_request_gets_the_blazar_message(String body, String message) {
        long before = engine.position();
        Answer answer = post("member", "/v1/leases", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
        assertThat(engine.position()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"min\": 1, \"max\": 2, | \"max\": 1, | Missing parameter min",
                "\"min\": 1, | \"min\": 3, | Invalid values for min/max of hosts. Max must be equal"
                        + " to or larger than min.",
                "\"resource_properties\": \"\" | \"resource_properties\": \"nonsense\" | Malformed"
                        + " requirements nonsense",
                "\"resource_properties\": \"\" | \"resource_properties\": [\"==\", \"$vcpus\", 1] |"
                        + " Malformed requirements [\"==\",\"$vcpus\",1]",
                "physical:host | no:such | The no:such resource type is not supported",
                "physical:host | network | The virtual:network resource type is not supported",
            })
    void an_invalid_reservation_answers_400_with_the_reason(
            String what, String instead, String message) {
        Answer answer = post("member", "/v1/leases", LEASE.replace(what, instead));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"80, 201, 200", "81, 400, 400"})
    void the_length_of_a_name_is_counted_in_code_points(int length, int created, int changed) {
        String name = "\uD83D\uDE00".repeat(length);
        String id = leaseOf("member");

        Answer create = post("member", "/v1/leases", LEASE.replace("nightly-build", name));
        Answer change = put("member", "/v1/leases/" + id, "{\"name\": \"%s\"}".formatted(name));

        assertThat(create.status()).as(create.toString()).isEqualTo(created);
        assertThat(change.status()).as(change.toString()).isEqualTo(changed);
    }

    @Test
    void a_start_after_the_last_date_of_clients_is_not_offered() {
        engine.refuseNext(
                new Shortage(
                        new ReservationId(new UUID(1, 1)),
                        ResourceKind.PHYSICAL_HOST,
                        3,
                        4,
                        1,
                        new LeasePeriod(NOW, Instant.parse("+10000-01-01T00:05:00Z")),
                        1,
                        Instant.parse("+10000-01-01T00:05:00Z")));
        JsonNode reason = post("member", "/v1/leases", LEASE).json().at("/reasons/0");
        assertThat(reason.path("scarce_until").asString()).isEqualTo("9999-12-31T23:59:59.999999");
        assertThat(reason.path("next_start").isNull()).isTrue();
    }

    @Test
    void a_shortage_answers_409_with_the_blazar_message_and_reasons() {
        engine.refuseNext(
                new Shortage(
                        new ReservationId(new UUID(1, 1)),
                        ResourceKind.PHYSICAL_HOST,
                        3,
                        4,
                        1,
                        new LeasePeriod(NOW, NOW.plusSeconds(60)),
                        1,
                        NOW.plusSeconds(3600)));
        Answer answer = post("member", "/v1/leases", LEASE);
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.message()).isEqualTo("Not enough hosts available");
        assertThat(answer.json().path("error_code").asInt()).isEqualTo(409);
        assertThat(answer.json().at("/reasons/0/matching").asInt()).isEqualTo(4);
        assertThat(answer.json().at("/reasons/0/next_start").asString())
                .isEqualTo("2026-11-21T01:33:30.000000");
    }
}
