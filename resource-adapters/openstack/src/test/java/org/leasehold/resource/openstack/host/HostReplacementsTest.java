package org.leasehold.resource.openstack.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.openstack.compute.FakeGuest;

import java.util.List;

/** Tests moves of servers from a leased host that another one replaces. */
class HostReplacementsTest extends HostMovesFixture {

    private Assignment moved;
    private FakeGuest server;

    @BeforeEach
    void startServer() {
        Assignment running = assignment("compute-1", "compute-2");
        acting.onStart(running);
        server = nova.boot("mine", PROJECT.value(), "compute-1");
        moved = again(running, "compute-2", "compute-3");
    }

    @Test
    void servers_of_the_holder_move_before_the_host_leaves() {
        FakeGuest stays = nova.boot("stays", PROJECT.value(), "compute-2");

        assertThat(replace()).isInstanceOf(Result.Done.class);

        assertThat(nova.serversOn("compute-3")).containsExactly(server);
        assertThat(nova.serversOn("compute-2")).containsExactly(stays);
        assertThat(own(moved).hosts).containsExactlyElementsOf(services("compute-2", "compute-3"));
        assertThat(nova.group("freepool").hosts)
                .containsExactlyElementsOf(services("compute-1", "compute-4"));
        assertThat(nova.exposed()).isEmpty();
    }

    @Test
    void servers_of_a_dead_host_are_evacuated() {
        nova.host("compute-1").up = false;

        assertThat(replace()).isInstanceOf(Result.Done.class);

        assertThat(nova.serversOn("compute-3")).containsExactly(server);
        assertThat(nova.group("freepool").hosts)
                .containsExactlyElementsOf(services("compute-1", "compute-4"));
    }

    @Test
    void servers_of_others_on_a_replaced_host_are_deleted_as_at_an_end() {
        nova.boot("theirs", STRANGER, "compute-1");

        assertThat(replace()).isInstanceOf(Result.Done.class);

        assertThat(nova.guests()).containsExactly("mine");
    }

    @Test
    void a_host_stays_in_the_lease_while_a_server_does_not_move() {
        server.status = "SUSPENDED";

        assertThat(replace())
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.PERMANENT);
                            assertThat(failed.fault().message()).contains(server.id);
                        });

        assertThat(own(moved).hosts)
                .containsExactlyElementsOf(services("compute-1", "compute-2", "compute-3"));
        server.status = "ACTIVE";
        assertThat(replace()).isInstanceOf(Result.Done.class);
        assertThat(nova.serversOn("compute-3")).containsExactly(server);
    }

    @Test
    void a_late_repetition_moves_no_servers_of_the_next_lease_of_the_host() {
        replace();
        Assignment next = assignment("compute-1");
        acting.onStart(next);
        FakeGuest nexts = nova.boot("next", PROJECT.value(), "compute-1");

        assertThat(replace()).isInstanceOf(Result.Done.class);

        assertThat(nova.serversOn("compute-1")).containsExactly(nexts);
    }

    @Test
    void servers_move_from_a_host_that_an_operator_took_from_the_aggregate() {
        own(moved).hosts.removeAll(services("compute-1"));

        assertThat(replace()).isInstanceOf(Result.Done.class);

        assertThat(nova.serversOn("compute-3")).containsExactly(server);
        assertThat(nova.group("freepool").hosts)
                .containsExactlyElementsOf(services("compute-1", "compute-4"));
    }

    private Result replace() {
        return acting.onAdjust(
                moved,
                allocations("compute-1"),
                List.of(
                        new Replacement(
                                allocations("compute-1").getFirst(),
                                allocations("compute-3").getFirst())));
    }
}
