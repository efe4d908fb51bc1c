package org.leasehold.gateway.v1.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.UUID;

/** The allocations of hosts. */
class HostAllocationsTest extends HostEndpointsFixture {

    @Test
    void allocations_list_every_host_with_the_matching_reservations() {
        enrol("compute-1");
        enrol("compute-2");
        LeaseId lease = new LeaseId(new UUID(1, 1));
        ReservationId reservation = new ReservationId(new UUID(2, 2));
        engine.resources()
                .hold(
                        new ResourceCalendar(
                                new ResourceId(1),
                                "compute-1",
                                List.of(
                                        new Holding(
                                                reservation,
                                                lease,
                                                new ProjectId("p1"),
                                                new LeasePeriod(NOW, NOW.plusSeconds(3600))))));
        String one =
                """
                {"resource_id": "1", "reservations": [
                  {"id": "%s", "lease_id": "%s", "start_date": "2026-11-21T00:33:30.000000",
                   "end_date": "2026-11-21T01:33:30.000000"}]}
                """
                        .formatted(reservation, lease);
        String two = "{\"resource_id\": \"2\", \"reservations\": []}";
        String free = "{\"resource_id\": \"1\", \"reservations\": []}";
        allocations("", one, two);
        allocations("?lease_id=" + lease, one, two);
        allocations("?lease_id=", one, two);
        allocations("?reservation_id=" + reservation, one, two);
        allocations("?lease_id=" + new UUID(3, 3), free, two);
        allocations("?reservation_id=nonsense", free, two);
        assertThat(get("admin", "/v1/os-hosts/1/allocation").json())
                .isEqualTo(JSON.readTree("{\"allocation\": " + one + "}"));
    }

    private void allocations(String query, String... expected) {
        assertThat(get("admin", "/v1/os-hosts/allocations" + query).json())
                .isEqualTo(
                        JSON.readTree("{\"allocations\": [" + String.join(",", expected) + "]}"));
    }
}
