package org.leasehold.gateway.v1.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the names that Blazar has for the states of leases and reservations. */
class LeaseStatusNamesTest extends V1TestServer {

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
                lease.version(),
                null,
                null);
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
