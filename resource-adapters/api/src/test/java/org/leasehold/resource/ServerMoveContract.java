package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The rules for a resource of a running reservation that another one replaces. */
public abstract class ServerMoveContract extends ReservationLifeContract {

    /** Returns the servers of users in reservations; empty if this cloud runs none. */
    protected Optional<ReservationServers> servers() {
        return Optional.empty();
    }

    /** The servers that users start in reservations. */
    public interface ReservationServers {

        /** Starts a server on any resource of a running reservation, and returns its id. */
        String start(Assignment assignment, String name);

        /** Returns the ids of all servers on a resource. */
        List<String> on(String resource);
    }

    /** Makes each step of a call fail once, before and after its effect. */
    abstract void cutOffAtEveryStep(
            Supplier<Assignment> prepare, Function<Assignment, Result> call);

    @Test
    void servers_of_a_replaced_resource_run_on_the_replacement() {
        ReservationServers servers = assumedServers();
        List<Allocation> resources = enrolled();
        Assignment running = assignment(resources.subList(0, 1));
        assertDone(acting().onStart(running));
        List<String> ids = List.of(servers.start(running, "one"), servers.start(running, "two"));
        List<String> neighbours = startNeighbour(servers, resources.getFirst());

        Assignment moved = with(running, resources.subList(2, 3));
        assertDone(replaceFirst(moved, resources));
        assertDone(replaceFirst(moved, resources));

        assertThat(servers.on(resources.getLast().name())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(servers.on(resources.getFirst().name())).isEqualTo(neighbours);
        assertDone(acting().onEnd(moved));
        assertThat(inspect(moved)).isEmpty();
        assertThat(servers.on(resources.getLast().name())).isEmpty();
        assertThat(servers.on(resources.getFirst().name())).isEqualTo(neighbours);
    }

    @Test
    void a_move_of_servers_that_is_cut_off_at_any_step_is_completed_by_a_retry() {
        ReservationServers servers = assumedServers();
        List<Allocation> resources = enrolled();
        Map<Assignment, String> ids = new HashMap<>();
        cutOffAtEveryStep(
                () -> {
                    Assignment running = assignment(resources.subList(0, 1));
                    assertDone(acting().onStart(running));
                    Assignment moved = with(running, resources.subList(2, 3));
                    ids.put(moved, servers.start(running, "one"));
                    return moved;
                },
                moved -> {
                    Result result = replaceFirst(moved, resources);
                    if (result instanceof Result.Done) {
                        assertThat(servers.on(resources.getLast().name()))
                                .containsExactly(Objects.requireNonNull(ids.get(moved)));
                        assertThat(servers.on(resources.getFirst().name())).isEmpty();
                    }
                    return result;
                });
    }

    /** Starts another reservation's server on a shared resource; returns no ids without shares. */
    private List<String> startNeighbour(ReservationServers servers, Allocation resource) {
        if (resource.share() == null) {
            return List.of();
        }
        Assignment neighbour = assignment(List.of(resource));
        assertDone(acting().onStart(neighbour));
        return List.of(servers.start(neighbour, "neighbour"));
    }

    /** Replaces the first resource by the last one. */
    private Result replaceFirst(Assignment moved, List<Allocation> resources) {
        return acting().onAdjust(
                        moved,
                        resources.subList(0, 1),
                        List.of(new Replacement(resources.getFirst(), resources.getLast())));
    }

    private ReservationServers assumedServers() {
        assumeTrue(servers().isPresent(), "no servers run in reservations here");
        return servers().orElseThrow();
    }
}
