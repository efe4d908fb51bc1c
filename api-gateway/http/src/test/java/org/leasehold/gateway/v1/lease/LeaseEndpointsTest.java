package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpRequest;
import java.util.List;
import java.util.UUID;

/** Tests the endpoints of leases, and their access and rejections. */
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
}
