package org.leasehold.gateway.v1.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.test.context.TestPropertySource;

import java.util.List;
import java.util.UUID;

/** Tests hosts and allocations on {@code /v1}, opened to projects by the settings. */
@TestPropertySource(
        properties = {
            "leasehold.gateway.blazar.open-hosts=true",
            "leasehold.gateway.blazar.open-allocations=true"
        })
class OpenHostsTest extends V1TestServer {

    private static final LeaseId OWN = new LeaseId(new UUID(1, 1));
    private static final LeaseId OTHER = new LeaseId(new UUID(1, 2));
    private static final ReservationId OTHERS = new ReservationId(new UUID(2, 2));

    @BeforeEach
    void lease() {
        post(
                "admin",
                "/v1/os-hosts",
                "{\"name\": \"compute-1\", \"gpu\": \"V100\", \"owner\": \"x\"}");
        send("admin", "PATCH", "/v1/os-hosts/properties/owner", "{\"private\": true}");
        engine.resources()
                .hold(
                        new ResourceCalendar(
                                new ResourceId(1),
                                "compute-1",
                                List.of(
                                        new Holding(
                                                new ReservationId(new UUID(2, 1)),
                                                OWN,
                                                new ProjectId("p1"),
                                                new LeasePeriod(NOW, NOW.plusSeconds(60))),
                                        new Holding(
                                                OTHERS,
                                                OTHER,
                                                new ProjectId("p9"),
                                                new LeasePeriod(
                                                        NOW.plusSeconds(60),
                                                        NOW.plusSeconds(120))))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reader", "member", "other", "admin", "planner"})
    void projects_may_read_hosts_and_allocations(String user) {
        for (String path : List.of("", "/1", "/allocations", "/1/allocation")) {
            assertThat(get(user, "/v1/os-hosts" + path).status()).as(path).isEqualTo(200);
        }
    }

    @Test
    void billers_read_no_hosts_and_no_allocations() {
        for (String path : List.of("", "/1", "/allocations", "/1/allocation")) {
            assertThat(get("biller", "/v1/os-hosts" + path).status()).as(path).isEqualTo(403);
        }
    }

    @Test
    void a_private_property_of_a_host_stays_hidden_from_projects() {
        for (String path : List.of("", "/1")) {
            assertThat(get("member", "/v1/os-hosts" + path).response().body())
                    .contains("gpu")
                    .doesNotContain("owner");
        }
    }

    @Test
    void an_allocation_of_another_project_does_not_exist_for_members() {
        for (String path : List.of("allocations", "1/allocation")) {
            assertThat(get("member", "/v1/os-hosts/" + path).response().body())
                    .contains(OWN.toString())
                    .doesNotContain(OTHER.toString())
                    .doesNotContain(OTHERS.toString());
            assertThat(get("admin", "/v1/os-hosts/" + path).response().body())
                    .contains(OWN.toString())
                    .contains(OTHER.toString());
        }
        assertThat(get("member", "/v1/os-hosts/allocations?lease_id=" + OTHER).json())
                .isEqualTo(
                        get("member", "/v1/os-hosts/allocations?lease_id=" + new UUID(3, 3))
                                .json());
    }

    @Test
    void projects_change_no_host() {
        assertThat(send("member", "PUT", "/v1/os-hosts/1", "{\"gpu\": \"A100\"}").status())
                .isEqualTo(403);
        assertThat(delete("member", "/v1/os-hosts/1").status()).isEqualTo(403);
    }
}
