package org.leasehold.resource.openstack.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.vocabulary.ProjectId;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The capacity of zones, and of the servers that a request names. */
class ServerZonesTest extends OpenStackServersFixture {

    @Test
    void the_zone_capacity_counts_running_hosts_outside_freepool_and_leases() {
        nova.zone("big", "a", "b", "c", "d", "e");
        for (String host : List.of("a", "b", "c", "e")) {
            nova.hypervisor(host, "up", 8);
        }
        nova.hypervisor("d", "down", 8);
        nova.aggregate("freepool", null, "b");
        nova.aggregate(OTHER.toString(), "blazar_" + OTHER, "c");
        nova.aggregate("ssd", null, "e");

        assertThat(acting.discover("big"))
                .isEqualTo(
                        new Discovery.Found(
                                "big",
                                null,
                                "big",
                                new ComputeCapacity("big", 16, 16_384, 160).attributes()));
    }

    @Test
    void a_zone_without_compute_hosts_cannot_be_leased() {
        nova.zone("controllers");
        assertThat(acting.discover("controllers")).isInstanceOf(Discovery.Unfit.class);
        assertThat(acting.discover("none")).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void a_request_is_completed_with_the_capacity_of_the_project_server() {
        assertThat(completed(server.id))
                .isEqualTo(new ComputeCapacity("nova", 2, 4096, 27).attributes());
        server.fromVolume = true;
        assertThat(completed(server.id))
                .isEqualTo(new ComputeCapacity("nova", 2, 4096, 7).attributes());
        server.status = SHELVED;
        assertThat(completed(server.id))
                .isEqualTo(new ComputeCapacity("", 2, 4096, 7).attributes());

        for (String id : List.of(nova.server("p2", "ACTIVE").id, UUID.randomUUID().toString())) {
            assertThat(completion(id)).isInstanceOf(Completion.NotFound.class);
        }
        nova.keystone().answer("compute", _ -> Said.nothing(503));
        assertThat(completion(server.id)).isInstanceOf(Completion.Unknown.class);
    }

    private Completion completion(String id) {
        return plugin.requestCompleter()
                .orElseThrow()
                .complete(
                        Map.of("server_id", id),
                        Map.of(),
                        new RequestCompleter.Asker(new ProjectId("p1"), null, "req-1"));
    }

    private @Nullable Object completed(String id) {
        return ((Completion.Complete) completion(id)).parameters().get("server");
    }
}
