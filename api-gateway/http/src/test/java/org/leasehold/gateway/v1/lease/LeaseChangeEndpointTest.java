package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.lease.LeaseCommand.ChangeLease;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Tests changes of leases. */
class LeaseChangeEndpointTest extends V1TestServer {

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
}
