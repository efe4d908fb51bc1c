package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.compute.FakeGuest;
import org.leasehold.resource.openstack.compute.FakeNova;

import java.util.List;

/** Tests moves of servers in slots from a host that another one replaces. */
class InstanceMovesTest extends OpenStackInstancesFixture {

    private static final Allocation FROM = slots("compute-1", 2);
    private static final Allocation TO = slots("compute-2", 2);

    private Assignment moved;
    private FakeGuest server;

    @BeforeEach
    void startServer() {
        Assignment running = assignment(FROM);
        acting.onStart(running);
        server = nova.boot("one", PROJECT.value(), running.reservation()).orElseThrow();
        moved = again(running, TO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ACTIVE", "PAUSED"})
    void a_server_that_runs_moves_live(String status) {
        server.status = status;

        assertThat(replace()).isEqualTo(DONE);

        assertMoved(status);
        assertThat(actions()).isEqualTo(1);
    }

    @Test
    void a_stopped_server_moves_cold_and_stays_stopped() {
        server.status = "SHUTOFF";

        assertThat(replace()).isEqualTo(DONE);

        assertMoved("SHUTOFF");
        assertThat(actions()).as("a migration and its confirmation").isEqualTo(2);
    }

    @Test
    void a_server_moves_cold_after_a_failed_live_migration() {
        server.movesOnlyCold = true;

        assertThat(replace()).isEqualTo(DONE);

        assertMoved("ACTIVE");
        assertThat(actions()).isEqualTo(3);
    }

    @Test
    void an_evacuated_server_frees_the_slot_on_the_dead_host() {
        nova.host("compute-1").up = false;

        assertThat(replace()).isEqualTo(DONE);

        assertMoved("ACTIVE");
        assertThat(nova.placement().entry("blazar_compute-1").totals()).isEmpty();
        assertThat(acting.onEnd(moved)).isEqualTo(DONE);
        assertThat(nova.placement().classes()).isEmpty();
    }

    @Test
    void an_evacuation_that_the_server_does_not_show_is_not_repeated() {
        nova.host("compute-1").up = false;
        server.movesQuietly = true;

        assertThat(replace()).isEqualTo(DONE);

        assertMoved("ACTIVE");
        assertThat(actions()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SUSPENDED", "RESCUE", "ERROR"})
    void a_server_that_nova_refuses_to_move_fails_the_call_and_stays(String status) {
        FakeGuest movable = nova.boot("two", PROJECT.value(), moved.reservation()).orElseThrow();
        server.status = status;

        assertFailed(replace(), Fault.Kind.PERMANENT, server.id);

        assertThat(nova.serversOn("compute-1")).containsExactly(server);
        assertThat(nova.serversOn("compute-2")).containsExactly(movable);
        server.status = "ACTIVE";
        assertThat(replace()).isEqualTo(DONE);
        assertMoved("ACTIVE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PAUSED", "SUSPENDED"})
    void a_server_that_nova_refuses_to_evacuate_fails_the_call(String status) {
        nova.host("compute-1").up = false;
        server.status = status;

        assertFailed(replace(), Fault.Kind.PERMANENT, server.id);

        assertThat(nova.serversOn("compute-1")).containsExactly(server);
    }

    @Test
    void a_failed_migration_is_retryable_and_keeps_the_server() {
        server.failsToMove = true;

        assertFailed(replace(), Fault.Kind.RETRYABLE, server.id);

        assertThat(nova.serversOn("compute-1")).containsExactly(server);
        server.failsToMove = false;
        assertThat(replace()).isEqualTo(DONE);
        assertMoved("ACTIVE");
    }

    @Test
    void a_long_migration_is_retryable_and_a_retry_does_not_repeat_it() {
        server.movesForever = true;
        Acting brief = acting(FakePollingTime.looks(5));

        assertFailed(replace(brief), Fault.Kind.RETRYABLE, "compute-1");
        assertFailed(replace(brief), Fault.Kind.RETRYABLE, "compute-1");

        assertThat(actions()).isEqualTo(1);
        server.movesForever = false;
        assertThat(replace()).isEqualTo(DONE);
        assertMoved("ACTIVE");
    }

    @Test
    void a_server_that_starts_on_the_leaving_host_during_a_move_moves_too() {
        nova.host("compute-3").up = false;
        server.movesForever = true;
        assertFailed(replace(acting(FakePollingTime.looks(2))), Fault.Kind.RETRYABLE, "compute-1");
        FakeGuest late = nova.boot("two", PROJECT.value(), moved.reservation()).orElseThrow();
        server.movesForever = false;

        assertThat(replace()).isEqualTo(DONE);

        assertThat(nova.serversOn("compute-2")).containsExactlyInAnyOrder(server, late);
    }

    @Test
    void servers_of_another_reservation_stay_on_the_host() {
        Assignment other = assignment(slots("compute-1", 1));
        acting.onStart(other);
        FakeGuest theirs = nova.boot("theirs", STRANGER, "compute-1");
        FakeGuest neighbour =
                nova.boot("neighbour", PROJECT.value(), other.reservation()).orElseThrow();

        assertThat(replace()).isEqualTo(DONE);

        assertThat(nova.serversOn("compute-1")).containsExactlyInAnyOrder(theirs, neighbour);
        assertThat(nova.serversOn("compute-2")).containsExactly(server);
    }

    @Test
    void an_unconfirmed_resize_from_another_host_stays_unconfirmed() {
        Assignment both = again(moved, FROM, TO);
        acting.onAdjust(both, List.of());
        FakeGuest resized = nova.boot("resized", PROJECT.value(), "compute-2");
        resized.extraSpecs.putAll(server.extraSpecs);
        resized.status = "VERIFY_RESIZE";

        assertThat(replace()).isEqualTo(DONE);

        assertThat(resized.status).isEqualTo("VERIFY_RESIZE");
    }

    private Result replace() {
        return replace(acting);
    }

    private Result replace(Acting with) {
        return with.onAdjust(moved, List.of(FROM), List.of(new Replacement(FROM, TO)));
    }

    private void assertMoved(String status) {
        assertThat(nova.serversOn("compute-1")).isEmpty();
        assertThat(nova.serversOn("compute-2")).contains(server);
        assertThat(server.status).isEqualTo(status);
        assertThat(nova.group(moved.reservation().toString()).hosts)
                .containsExactly(FakeNova.serviceOf("compute-2"));
    }

    /** Returns the number of actions on servers. */
    private long actions() {
        return nova.requests().stream()
                .filter(each -> each.endsWith("/action"))
                .filter(each -> each.startsWith("POST /servers/"))
                .count();
    }

    private static void assertFailed(Result result, Fault.Kind kind, String named) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(kind);
                            assertThat(failed.fault().forHolder().message()).contains(named);
                        });
    }
}
