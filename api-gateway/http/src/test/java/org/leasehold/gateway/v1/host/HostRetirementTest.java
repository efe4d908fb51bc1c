package org.leasehold.gateway.v1.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.v1.V1TestServer;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the retirement of hosts with servers. */
class HostRetirementTest extends V1TestServer {

    private static final ResourceId HOST = new ResourceId(1);

    private void enrol(String name) {
        engine.send(
                new EnrolResource(
                        HOST, ResourceKind.PHYSICAL_HOST, name, null, null, Map.of(), Map.of()),
                CommandContext.ofEngine(NOW, "req", null));
    }

    @Test
    void a_host_with_servers_is_not_retired() {
        enrol("compute-busy");

        Answer answer = delete("admin", "/v1/os-hosts/1");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.message()).isEqualTo("Servers ['web', 'db'] found for host compute-busy");
        assertThat(get("admin", "/v1/os-hosts/1").status()).isEqualTo(200);
    }

    @Test
    void a_lease_of_the_host_takes_precedence_over_servers() {
        enrol("compute-busy");
        LeaseId lease = new LeaseId(new UUID(1, 1));
        engine.resources()
                .hold(
                        new ResourceCalendar(
                                HOST,
                                "compute-busy",
                                List.of(
                                        new Holding(
                                                new ReservationId(new UUID(2, 2)),
                                                lease,
                                                new ProjectId("p1"),
                                                new LeasePeriod(NOW, NOW.plusSeconds(3600))))));
        engine.rejectNext(new ResourceReserved(HOST, List.of(lease)));

        assertThat(delete("admin", "/v1/os-hosts/1").message())
                .isEqualTo("Can't delete host 1. The host is reserved.");
    }

    @Test
    void a_host_that_the_cloud_does_not_describe_is_retired() {
        enrol("compute-dark");
        assertThat(delete("admin", "/v1/os-hosts/1").status()).isEqualTo(204);
        enrol("lost");
        assertThat(delete("admin", "/v1/os-hosts/1").status()).isEqualTo(204);
    }

    @Test
    void servers_on_a_host_with_a_longer_name_do_not_matter() {
        enrol("compute-bus");
        assertThat(delete("admin", "/v1/os-hosts/1").status()).isEqualTo(204);
    }
}
