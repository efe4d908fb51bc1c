package org.leasehold.resource.simulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.simulator.server.SimulatedServer.State;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests the simulated servers by the contract, and their states at starts and ends. */
class SimulatedServersContractTest extends SimulatedServerRequests {

    @Test
    void a_server_is_shelved_before_the_start_and_after_the_end() {
        Assignment assignment = of(reservation, wish(server));

        assertDone(plugin().acting().prepare(assignment));
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
        assertThat(now(server).reservation()).isNull();
        assertDone(plugin().acting().onStart(assignment));
        assertThat(now(server).state()).isEqualTo(State.ACTIVE);
        assertThat(now(server).reservation()).isEqualTo(reservation);
        assertDone(plugin().acting().onEnd(assignment));
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
        assertThat(now(server).reservation()).isNull();
    }

    @Test
    void a_start_with_on_start_leave_keeps_the_server_shelved() {
        Assignment assignment = of(reservation, wish(server, "on_start", "leave"));
        assertDone(plugin().acting().prepare(assignment));

        assertDone(plugin().acting().onStart(assignment));
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);

        cloud().setServerState(server, State.ACTIVE);
        assertDone(plugin().acting().onEnd(assignment));
        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
    }

    @Test
    void a_start_activates_a_shelved_stopped_or_suspended_server() {
        for (State state : State.values()) {
            UUID id = create(state);
            assertDone(
                    plugin().acting().onStart(of(new ReservationId(UUID.randomUUID()), wish(id))));
            assertThat(now(id).state()).isEqualTo(State.ACTIVE);
        }
    }

    @Test
    void the_on_end_parameter_determines_the_final_server_state() {
        Map<String, State> ends =
                Map.of(
                        "shelve",
                        State.SHELVED_OFFLOADED,
                        "snapshot",
                        State.SHELVED_OFFLOADED,
                        "stop",
                        State.SHUTOFF,
                        "suspend",
                        State.SUSPENDED,
                        "keep",
                        State.ACTIVE);
        ends.forEach(
                (end, state) -> {
                    UUID id = create(State.ACTIVE);
                    ReservationId holder = new ReservationId(UUID.randomUUID());
                    Assignment assignment = of(holder, wish(id, "on_end", end));
                    assertDone(plugin().acting().onStart(assignment));
                    assertDone(plugin().acting().onEnd(assignment));
                    assertDone(plugin().acting().onEnd(assignment));
                    assertThat(now(id).state()).as(end).isEqualTo(state);
                    assertThat(now(id).reservation()).as(end).isNull();
                    assertThat(cloud().serverImages(id))
                            .isEqualTo(end.equals("snapshot") ? List.of(holder) : List.of());
                });
    }

    @Test
    void an_end_with_on_end_delete_deletes_the_server() {
        Assignment assignment = of(reservation, wish(server, "on_end", "delete"));
        assertDone(plugin().acting().onStart(assignment));

        assertDone(plugin().acting().onEnd(assignment));
        assertDone(plugin().acting().onEnd(assignment));

        assertThat(cloud().zoneServers()).isEmpty();
    }

    @Test
    void a_start_waits_for_a_server_of_another_lease_and_an_end_keeps_it() {
        Assignment first = of(reservation, wish(server));
        assertDone(plugin().acting().onStart(first));
        others.put(reservation, first.parameters());
        Assignment second =
                of(new ReservationId(UUID.randomUUID()), wish(server, "on_end", "delete"));

        assertDone(plugin().acting().prepare(second));
        assertFailed(plugin().acting().onStart(second), Fault.Kind.RETRYABLE);
        assertDone(plugin().acting().onEnd(second));

        assertThat(now(server).state()).isEqualTo(State.ACTIVE);
        assertThat(now(server).reservation()).isEqualTo(reservation);
        assertDone(plugin().acting().onEnd(first));
        assertDone(plugin().acting().onStart(second));
        assertThat(now(server).reservation()).isEqualTo(second.reservation());
    }

    @Test
    void a_server_that_a_user_shelved_during_the_lease_can_be_leased_again() {
        Assignment first = of(reservation, wish(server));
        assertDone(plugin().acting().onStart(first));
        cloud().setServerState(server, State.SHELVED_OFFLOADED);
        assertDone(plugin().acting().onEnd(first));
        Assignment second = of(new ReservationId(UUID.randomUUID()), wish(server));

        assertDone(plugin().acting().onStart(second));

        assertThat(now(server).reservation()).isEqualTo(second.reservation());
    }

    @Test
    void an_end_shelves_a_server_with_a_stale_reservation_tag() {
        Assignment first = of(reservation, wish(server));
        assertDone(plugin().acting().onStart(first));
        cloud().setServerState(server, State.SHELVED_OFFLOADED);
        assertDone(plugin().acting().onEnd(first));
        Assignment left =
                of(new ReservationId(UUID.randomUUID()), wish(server, "on_start", "leave"));
        assertDone(plugin().acting().onStart(left));
        cloud().setServerState(server, State.ACTIVE);

        assertDone(plugin().acting().onEnd(left));

        assertThat(now(server).state()).isEqualTo(State.SHELVED_OFFLOADED);
        assertThat(now(server).reservation()).isNull();
    }

    @Test
    void a_late_end_keeps_a_server_of_another_lease() {
        Assignment first = of(reservation, wish(server, "on_end", "delete"));
        assertDone(plugin().acting().onStart(first));
        Assignment kept = of(reservation, wish(server, "on_end", "keep"));
        assertDone(plugin().acting().onEnd(kept));
        Assignment second = of(new ReservationId(UUID.randomUUID()), wish(server));
        assertDone(plugin().acting().onStart(second));
        others.put(second.reservation(), second.parameters());

        assertDone(plugin().acting().onEnd(first));

        assertThat(now(server).reservation()).isEqualTo(second.reservation());
    }

    @Test
    void a_start_fails_on_a_missing_or_foreign_server() {
        Assignment assignment = of(reservation, wish(server, "on_end", "delete"));
        Assignment others =
                new Assignment(
                        assignment.lease(),
                        assignment.reservation(),
                        OTHERS,
                        assignment.user(),
                        assignment.period(),
                        assignment.parameters(),
                        assignment.resources());
        assertDone(plugin().acting().prepare(others));
        assertFailed(plugin().acting().onStart(others), Fault.Kind.INSUFFICIENT_RESOURCES);
        assertDone(plugin().acting().onEnd(others));
        assertThat(now(server).state()).isEqualTo(State.ACTIVE);

        assertDone(plugin().acting().onEnd(assignment));
        assertDone(plugin().acting().prepare(assignment));
        assertFailed(plugin().acting().onStart(assignment), Fault.Kind.INSUFFICIENT_RESOURCES);
    }

    @Test
    void a_start_is_retryable_while_the_zone_is_full() {
        UUID large =
                cloud().createServer(
                                "large",
                                project(),
                                new ComputeCapacity("nova", 63, 1, 1),
                                State.SHELVED_OFFLOADED);
        Assignment assignment = of(reservation, wish(large));

        assertFailed(plugin().acting().onStart(assignment), Fault.Kind.RETRYABLE);
        assertThat(plugin().acting().inspect(reservation)).isEmpty();

        cloud().setServerState(server, State.SHELVED_OFFLOADED);
        assertDone(plugin().acting().onStart(assignment));
    }
}
