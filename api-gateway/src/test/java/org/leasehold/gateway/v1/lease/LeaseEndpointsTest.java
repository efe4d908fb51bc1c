package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

class LeaseEndpointsTest extends V1TestServer {

    private static final String UUID_FORM = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    @Test
    void a_created_lease_is_shown_with_all_fields() {
        Answer answer = post("member", "/v1/leases", LEASE);
        assertThat(answer.status()).isEqualTo(201);
        JsonNode lease = answer.json().path("lease");
        assertThat(lease.propertyNames())
                .containsExactly(
                        "id",
                        "name",
                        "user_id",
                        "project_id",
                        "trust_id",
                        "start_date",
                        "end_date",
                        "status",
                        "degraded",
                        "created_at",
                        "updated_at",
                        "reservations",
                        "events");
        assertThat(lease.path("id").asString()).matches(UUID_FORM);
        assertThat(lease.path("user_id").asString()).isEqualTo("u-member");
        assertThat(lease.path("project_id").asString()).isEqualTo("p1");
        assertThat(lease.path("trust_id").isNull()).isTrue();
        assertThat(lease.path("start_date").asString()).isEqualTo("2026-11-22T08:00:00.000000");
        assertThat(lease.path("end_date").asString()).isEqualTo("2026-11-22T10:00:00.000000");
        assertThat(lease.path("status").asString()).isEqualTo("PENDING");
        assertThat(lease.path("degraded").booleanValue()).isFalse();
        assertThat(lease.path("created_at").asString()).isEqualTo("2026-11-21 00:33:30");
        assertThat(lease.path("updated_at").isNull()).isTrue();

        JsonNode reservation = lease.at("/reservations/0");
        assertThat(reservation.path("lease_id")).isEqualTo(lease.path("id"));
        assertThat(reservation.path("id").asString()).matches(UUID_FORM);
        assertThat(reservation.path("resource_id").asString()).matches(UUID_FORM);
        assertThat(reservation.path("resource_type").asString()).isEqualTo("physical:host");
        assertThat(reservation.path("status").asString()).isEqualTo("pending");
        assertThat(reservation.path("min").isInt()).isTrue();
        assertThat(reservation.path("max").intValue()).isEqualTo(2);
        assertThat(reservation.path("before_end").asString()).isEqualTo("default");
        assertThat(reservation.path("missing_resources").booleanValue()).isFalse();
        assertThat(reservation.path("resources_changed").booleanValue()).isFalse();

        assertThat(lease.path("events").valueStream().map(e -> e.path("event_type").asString()))
                .containsExactlyInAnyOrder("start_lease", "end_lease", "before_end_lease");
        assertThat(lease.at("/events/0/time").asString()).isEqualTo("2026-11-22T08:00:00.000000");
        assertThat(lease.at("/events/0/status").asString()).isEqualTo("UNDONE");
        assertThat(lease.at("/events/0/lease_id")).isEqualTo(lease.path("id"));

        String id = lease.path("id").asString();
        assertThat(get("member", "/v1/leases/" + id).json()).isEqualTo(answer.json());
        assertThat(get("member", "/v1/leases").json().at("/leases/0")).isEqualTo(lease);
    }

    @Test
    void a_command_carries_the_caller_the_time_and_the_request_id() {
        Answer answer = post("member", "/v1/leases", LEASE);
        assertThat(engine.lastContext().now()).isEqualTo(NOW);
        assertThat(engine.lastContext().user()).isEqualTo("u-member");
        assertThat(engine.lastContext().project()).isEqualTo("p1");
        assertThat(engine.lastContext().roles()).containsExactly("reader", "member");
        assertThat(engine.lastContext().authentication()).isEqualTo("basic");
        assertThat(engine.lastContext().requestId())
                .isEqualTo(answer.header("x-openstack-request-id"));
        assertThat(engine.lastContext().idempotency()).isNull();
    }

    @Test
    void a_repeated_request_with_an_idempotency_key_names_the_same_lease() {
        LeaseId first = keyed("k1", LEASE);
        assertThat(keyed("k1", LEASE)).isEqualTo(first);
        assertThat(keyed("k2", LEASE)).isNotEqualTo(first);
        assertThat(keyed("k1", LEASE.replace("nightly", "weekly"))).isNotEqualTo(first);
        assertThat(keyed("k".repeat(5_000), LEASE)).isNotEqualTo(first);
        assertThat(engine.lastContext().idempotency().key().length()).isLessThan(300);
    }

    private LeaseId keyed(String key, String body) {
        send(
                request("member", "/v1/leases")
                        .header("Idempotency-Key", key)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
        return engine.lastCommand().leaseId();
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

    private static String body(String start, String end) {
        return "{\"name\": \"n\", \"start_date\": \"%s\", \"end_date\": \"%s\"}"
                .formatted(start, end);
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

    @Test
    void an_unknown_lease_and_a_lease_of_another_project_answer_404() {
        String id = leaseOf("other");
        for (String missing : List.of(id, "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10", "nonsense")) {
            for (Answer answer :
                    List.of(
                            get("member", "/v1/leases/" + missing),
                            put("member", "/v1/leases/" + missing, "{\"name\": \"mine\"}"),
                            delete("member", "/v1/leases/" + missing))) {
                assertThat(answer.status()).isEqualTo(404);
                assertThat(answer.message())
                        .isEqualTo("Object with {'lease_id': '" + missing + "'} not found");
                assertThat(answer.json().path("error_name").asInt()).isEqualTo(404);
            }
        }
        assertThat(get("member", "/v1/leases").json().path("leases").isEmpty()).isTrue();
        assertThat(get("other", "/v1/leases/" + id).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"admin", "auditor", "planner", "biller"})
    void cross_project_roles_see_every_lease(String user) {
        String id = leaseOf("member");
        leaseOf("other");
        assertThat(get(user, "/v1/leases").json().path("leases").size()).isEqualTo(2);
        assertThat(get(user, "/v1/leases/" + id).status()).isEqualTo(200);
    }

    @Test
    void an_administrator_changes_and_deletes_leases_of_any_project() {
        String id = leaseOf("member");
        assertThat(put("admin", "/v1/leases/" + id, "{\"name\": \"taken over\"}").status())
                .isEqualTo(200);
        assertThat(get("member", "/v1/leases/" + id).json().at("/lease/project_id").asString())
                .isEqualTo("p1");
        assertThat(delete("admin", "/v1/leases/" + id).status()).isEqualTo(204);
    }

    @Test
    void a_change_without_effect_appends_no_event() {
        String id = leaseOf("member");
        long before = engine.position();
        for (String body :
                List.of(
                        "{}",
                        "{\"events\": [], \"status\": \"ERROR\", \"project_id\": \"p2\"}",
                        "{\"before_end_date\": null}",
                        "{\"start_date\": \"2026-11-22 08:00\", \"end_date\": \"2026-11-22"
                                + " 10:00\"}",
                        "{\"reservations\": []}")) {
            Answer answer = put("member", "/v1/leases/" + id, body);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().at("/lease/status").asString()).isEqualTo("PENDING");
            assertThat(answer.json().at("/lease/project_id").asString()).isEqualTo("p1");
        }
        assertThat(engine.position()).isEqualTo(before);
    }

    @Test
    void a_change_command_contains_only_the_changed_fields() {
        Answer lease = post("member", "/v1/leases", LEASE);
        String id = lease.json().at("/lease/id").asString();
        String reservation = lease.json().at("/lease/reservations/0/id").asString();
        Answer answer =
                put(
                        "member",
                        "/v1/leases/" + id,
                        """
                        {"name": "longer", "start_date": "2026-11-22 08:00",
                         "end_date": "2026-11-23 10:00", "before_end_date": "2026-11-23 09:30",
                         "reservations": [
                           {"id": "%s", "resource_type": "physical:host", "max": 5}]}
                        """
                                .formatted(reservation));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(engine.lastCommand())
                .isInstanceOfSatisfying(
                        ChangeLease.class,
                        change -> {
                            assertThat(change.name()).isEqualTo("longer");
                            assertThat(change.start()).isNull();
                            assertThat(change.end())
                                    .isEqualTo(Instant.parse("2026-11-23T10:00:00Z"));
                            assertThat(change.beforeEnd())
                                    .isEqualTo(Instant.parse("2026-11-23T09:30:00Z"));
                            assertThat(change.reservations()).hasSize(1);
                            assertThat(change.reservations().getFirst().parameters())
                                    .containsOnlyKeys("max");
                        });
        assertThat(answer.json().at("/lease/name").asString()).isEqualTo("longer");
        assertThat(answer.json().at("/lease/status").asString()).isEqualTo("PENDING");
        assertThat(answer.json().at("/lease/reservations/0/max").asInt()).isEqualTo(5);
        assertThat(answer.json().at("/lease/updated_at").asString())
                .isEqualTo("2026-11-21 00:33:30");
    }

    @Test
    void a_reservation_id_may_have_upper_case_letters() {
        JsonNode lease = post("member", "/v1/leases", LEASE).json().path("lease");
        String reservation = lease.at("/reservations/0/id").asString();
        Answer answer =
                put(
                        "member",
                        "/v1/leases/" + lease.path("id").asString(),
                        "{\"reservations\": [{\"id\": \"%s\", \"max\": 5}]}"
                                .formatted(reservation.toUpperCase(Locale.ROOT)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode changed = answer.json().at("/lease/reservations/0");
        assertThat(changed.path("id").asString()).isEqualTo(reservation);
        assertThat(changed.path("max").asInt()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"max\": 2}] | 400 | Missing parameter reservation ID",
                "[{\"id\": null}] | 400 | Missing parameter reservation ID",
                "[{\"id\": \"zz\"}, {\"id\": 7}] | 400 | Please enter valid reservation IDs."
                        + " Invalid reservation IDs are: zz,7",
                "[{\"id\": \"ID\", \"resource_type\": \"no:such\"}] | 409 | resource_type cannot be"
                        + " updated",
                "[{\"id\": \"ID\", \"max\": 0}] | 400 | Malformed parameter min and max (must be"
                        + " greater than or equal to 1)",
                "{} | 400 | Malformed parameter reservations",
                "null | 400 | Malformed parameter reservations",
            })
    void an_invalid_reservation_change_gets_the_blazar_message(
            String reservations, int status, String message) {
        Answer lease = post("member", "/v1/leases", LEASE);
        String reservation = lease.json().at("/lease/reservations/0/id").asString();
        Answer answer =
                put(
                        "member",
                        "/v1/leases/" + lease.json().at("/lease/id").asString(),
                        "{\"reservations\": " + reservations.replace("ID", reservation) + "}");
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    void rejections_have_the_status_and_message_of_blazar() {
        String id = leaseOf("member");
        LeasePeriod period = new LeasePeriod(NOW, NOW.plusSeconds(60));
        rejected(
                id,
                new LeaseRejection.InvalidName(99, 80),
                400,
                "Malformed parameter name (must be at most 80 characters)");
        rejected(
                id,
                new LeaseRejection.StartInPast(NOW, NOW),
                400,
                "Start date must be later than current date");
        rejected(
                id,
                new LeaseRejection.EndNotAfterStart(NOW, NOW),
                400,
                "End date must be later than current and start date");
        rejected(
                id,
                new LeaseRejection.EndInPast(NOW, NOW),
                400,
                "End date must be later than current and start date");
        rejected(
                id,
                new LeaseRejection.BeforeEndOutside(NOW, period),
                403,
                "Datetime is out of lease limits");
        rejected(
                id,
                new LeaseRejection.StartAlreadyHappened(NOW),
                400,
                "Cannot modify the start date of already started leases");
        rejected(
                id,
                new LeaseRejection.LeaseOver(NOW),
                400,
                "Terminated leases can only be renamed");
        rejected(
                id,
                new LeaseRejection.WrongStatus("STARTING", "change"),
                409,
                "Invalid lease status.");
        rejected(
                id,
                new LeaseRejection.TooManyLeases(10_000),
                403,
                "The number of unfinished leases of the project must be less than or equal to"
                        + " 10000");
        rejected(
                id,
                new LeaseRejection.TooManyReservations(100),
                400,
                "Malformed parameter reservations (must be at most 100)");
        rejected(
                id,
                new LeaseRejection.UnknownReservations(List.of("zz")),
                400,
                "Please enter valid reservation IDs. Invalid reservation IDs are: zz");
        rejected(
                id,
                new LeaseRejection.KindIsFixed(new ReservationId(new UUID(1, 1))),
                409,
                "resource_type cannot be updated");
        rejected(
                id,
                new LeaseRejection.LeaseNotFound(LeaseId.of(id)),
                404,
                "Object with {'lease_id': '" + id + "'} not found");
        rejected(
                id,
                new LeaseRejection.IdempotencyKeyReused("k"),
                422,
                "The idempotency key k was used for another request");
    }

    private void rejected(String id, LeaseRejection rejection, int status, String message) {
        engine.rejectNext(rejection);
        Answer answer = put("member", "/v1/leases/" + id, "{\"name\": \"other\"}");
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.json().path("error_code").asInt()).isEqualTo(status);
    }

    @Test
    void a_deleted_lease_answers_404() {
        String id = leaseOf("member");
        Answer answer = delete("member", "/v1/leases/" + id);
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.response().body()).isEmpty();
        assertThat(get("member", "/v1/leases/" + id).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, PENDING",
        "DELAYED, STARTING",
        "STARTING, STARTING",
        "ACTIVE, ACTIVE",
        "ENDING, TERMINATING",
        "ENDED, TERMINATED",
        "ERROR, ERROR",
        "DELETING, DELETING",
    })
    void a_lease_status_has_the_blazar_name(LeaseStatus status, String name) {
        LeaseId id = LeaseId.of(leaseOf("member"));
        engine.alter(id, lease -> with(lease, status, lease.reservations()));
        assertThat(get("member", "/v1/leases/" + id).json().at("/lease/status").asString())
                .isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"PENDING, pending", "ACTIVE, active", "RELEASED, deleted", "ERROR, error"})
    void a_reservation_status_has_the_blazar_name(ReservationView.Status status, String name) {
        LeaseId id = LeaseId.of(leaseOf("member"));
        engine.alter(
                id,
                lease ->
                        with(
                                lease,
                                LeaseStatus.ACTIVE,
                                lease.reservations().stream().map(r -> with(r, status)).toList()));
        Answer answer = get("member", "/v1/leases/" + id);
        assertThat(answer.json().at("/lease/reservations/0/status").asString()).isEqualTo(name);
        assertThat(answer.json().at("/lease/degraded").booleanValue()).isTrue();
    }

    @Test
    void a_reservation_of_a_disabled_kind_still_shows_the_requested_values() {
        LeaseId id = LeaseId.of(leaseOf("member"));
        engine.alter(
                id,
                lease ->
                        with(
                                lease,
                                LeaseStatus.ENDED,
                                List.of(
                                        new ReservationView(
                                                new ReservationId(new UUID(1, 2)),
                                                new ResourceKind("volume"),
                                                ReservationView.Status.RELEASED,
                                                Map.of("size", 5, "status", "mine"),
                                                List.of(),
                                                Map.of("volume_id", "v1"),
                                                false,
                                                false,
                                                null,
                                                NOW,
                                                null))));
        JsonNode reservation = get("member", "/v1/leases/" + id).json().at("/lease/reservations/0");
        assertThat(reservation.path("size").asInt()).isEqualTo(5);
        assertThat(reservation.path("volume_id").asString()).isEqualTo("v1");
        assertThat(reservation.path("status").asString()).isEqualTo("deleted");
    }

    private static LeaseView with(
            LeaseView lease, LeaseStatus status, List<ReservationView> reservations) {
        return new LeaseView(
                lease.id(),
                new ProjectId("p1"),
                lease.userId(),
                lease.name(),
                status,
                lease.period(),
                lease.beforeEnd(),
                lease.explanation(),
                reservations,
                lease.scheduledEvents(),
                lease.createdAt(),
                lease.updatedAt(),
                lease.version());
    }

    private static ReservationView with(ReservationView old, ReservationView.Status status) {
        return new ReservationView(
                old.id(),
                old.kind(),
                status,
                old.parameters(),
                old.allocations(),
                old.cloudIds(),
                true,
                false,
                null,
                old.createdAt(),
                old.updatedAt());
    }
}
