package org.leasehold.resource.openstack.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.DefaultLeaseSource.Listing;
import org.leasehold.resource.DefaultLeaseSource.Presence;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Tests the servers that can get default leases. */
class ServerDefaultLeasesTest extends OpenStackServersFixture {

    private static final ProjectId PROJECT = new ProjectId("p1");

    private final DefaultLeaseSource source = plugin.defaultLeaseSource().orElseThrow();

    @Test
    void a_listing_has_the_servers_of_all_projects_and_pages() {
        server.metadata.put("role", "web");
        nova.server("p2", "ACTIVE");
        nova.server("p3", "SHUTOFF");

        assertThat(objects())
                .extracting(LeasableObject::project)
                .containsExactly(PROJECT, new ProjectId("p2"), new ProjectId("p3"));
        assertThat(objects().getFirst())
                .isEqualTo(
                        new LeasableObject(
                                ResourceKind.SERVER,
                                server.id,
                                PROJECT,
                                new UserId("user-of-p1"),
                                "m1.medium",
                                Map.of("role", "web"),
                                Instant.parse("2030-01-01T00:00:00Z"),
                                State.READY,
                                null));
    }

    @Test
    void a_listing_leaves_out_servers_without_a_user_or_a_project() {
        FakeServer anonymous = nova.server("p2", "ACTIVE");
        nova.server("", "ACTIVE");

        for (String user : new String[] {null, "", " "}) {
            anonymous.user = user;
            assertThat(objects()).extracting(LeasableObject::id).containsExactly(server.id);
        }
        anonymous.user = "ada";
        assertThat(objects()).hasSize(2);
    }

    @Test
    void the_status_of_a_server_determines_the_state() {
        assertThat(state("SHUTOFF")).isEqualTo(State.READY);
        assertThat(state("PAUSED")).isEqualTo(State.READY);
        assertThat(state(SHELVED)).isEqualTo(State.SHELVED);
        assertThat(state("BUILD")).isEqualTo(State.UNREADY);
        assertThat(state("ERROR")).isEqualTo(State.UNREADY);
        server.task = "spawning";
        assertThat(state("ACTIVE")).isEqualTo(State.UNREADY);
    }

    private State state(String status) {
        server.status = status;
        return objects().getFirst().state();
    }

    @Test
    void a_listing_has_no_deleted_servers() {
        server.status = "SOFT_DELETED";

        assertThat(objects()).isEmpty();
        assertThat(source.check(server.id, PROJECT)).isEqualTo(Presence.DELETED);
    }

    @Test
    void a_server_on_a_leasable_host_or_in_a_reservation_has_an_obstacle() {
        assertThat(objects().getFirst().obstacle()).isNull();
        nova.aggregate("freepool", null, "pool-1");
        nova.aggregate(RESERVATION.toString(), "blazar_" + RESERVATION, "leased-1");
        nova.aggregate("ssd", null, "nova-7");
        assertThat(objects().getFirst().obstacle()).isNull();

        for (String host : List.of("pool-1", "leased-1")) {
            server.host = host;
            assertThat(objects().getFirst().obstacle())
                    .isEqualTo("The host of the server is leased as a whole");
        }
        server.host = "nova-7";
        server.reservation = RESERVATION.toString();
        assertThat(objects().getFirst().obstacle())
                .isEqualTo("The server is in a reservation of instances");
    }

    @Test
    void a_check_finds_only_existing_servers_of_the_project() {
        FakeServer theirs = nova.server("p2", "ACTIVE");

        assertThat(source.check(server.id, PROJECT)).isEqualTo(Presence.PRESENT);
        assertThat(source.check(theirs.id, PROJECT)).isEqualTo(Presence.DELETED);
    }

    @Test
    void a_cloud_that_does_not_respond_is_unknown() {
        nova.close();

        assertThat(source.findLeasableObjects()).isInstanceOf(Listing.Unknown.class);
        assertThat(source.check(server.id, PROJECT)).isEqualTo(Presence.UNKNOWN);
    }

    private List<LeasableObject> objects() {
        return ((Listing.All) source.findLeasableObjects()).objects();
    }
}
