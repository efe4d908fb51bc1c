package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.server.OnEnd;
import org.leasehold.resource.server.OnStart;
import org.leasehold.resource.server.Room;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.server.Servers;
import org.leasehold.resource.simulator.SimulatedServer.State;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The acting half for servers of the simulated cloud that projects have already. */
final class SimulatedServers implements Acting, Servers {

    private final CloudStore store;
    private final ServerTable table;

    SimulatedServers(CloudStore store, ServerTable table) {
        this.store = store;
        this.table = table;
    }

    @Override
    public Search find(String id, ProjectId project) {
        List<SimulatedServer> found = new ArrayList<>();
        Result result =
                call(
                        "find_server",
                        call -> table.find(id).filter(s -> isOf(s, project)).ifPresent(found::add));
        return switch (result) {
            case Result.Failed failed -> new Search.Unknown(failed.fault());
            case Result.Done _ ->
                    found.stream()
                            .findFirst()
                            .<Search>map(server -> new Search.Found(roomOf(server)))
                            .orElseGet(Search.NotFound::new);
        };
    }

    /** Returns the room of a server. As in Nova, a shelved server is in no zone. */
    private static Room roomOf(SimulatedServer server) {
        Room room = server.room();
        return server.state() == State.SHELVED_OFFLOADED
                ? new Room("", room.vcpus(), room.memoryMb(), room.diskGb())
                : room;
    }

    @Override
    public Discovery discover(String name) {
        List<Discovery> found = new ArrayList<>();
        Result result = call("discover", call -> found.add(look(name)));
        return switch (result) {
            case Result.Done _ -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    private Discovery look(String name) {
        return table.zone(name)
                .<Discovery>map(room -> new Discovery.Found(name, null, name, room.attributes()))
                .orElseGet(Discovery.NotFound::new);
    }

    /** Does nothing, as there is no pool: projects have other servers in the zone anyway. */
    @Override
    public Result enrol(ResourceId id, String name) {
        return call("enrol", call -> {});
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return call("retire", call -> {});
    }

    /** Shelves the server, unless another lease has it now. */
    @Override
    public Result prepare(Assignment assignment) {
        return call(
                "prepare",
                assignment,
                call ->
                        own(assignment)
                                .filter(server -> !isAnothers(server, assignment))
                                .ifPresent(
                                        server -> become(call, server, State.SHELVED_OFFLOADED)));
    }

    @Override
    public Result onStart(Assignment assignment) {
        return call("start", assignment, call -> take(call, assignment, true));
    }

    /** Marks the server. Its room may be in another zone by now, but it stays in its own. */
    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return call("adjust", assignment, call -> take(call, assignment, false));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return call("before_end", assignment, call -> {});
    }

    /**
     * Finds the server by the request, because a shelved one has no mark. For the same reason it
     * removes the mark before it shelves the server.
     */
    @Override
    public Result onEnd(Assignment assignment) {
        return call(
                "end",
                assignment,
                call ->
                        own(assignment)
                                .filter(server -> !isAnothers(server, assignment))
                                .ifPresent(server -> end(call, server, assignment)));
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return table.of(reservation).stream().map(server -> thing(server, reservation)).toList();
    }

    @Override
    public Survey survey() {
        return CloudCall.survey(
                store, () -> Survey.Seen.of(table.all().stream().flatMap(SimulatedServers::held)));
    }

    private static Stream<Survey.Thing> held(SimulatedServer server) {
        return Stream.ofNullable(server.reservation())
                .map(reservation -> new Survey.Thing(reservation, thing(server, reservation)));
    }

    private static String thing(SimulatedServer server, ReservationId reservation) {
        return "server/%s %s reservation:%s"
                .formatted(server.room().zone(), server.state(), reservation);
    }

    private void take(CloudCall call, Assignment assignment, boolean starting) {
        SimulatedServer before = free(assignment);
        if (starting && OnStart.of(assignment.parameters()) == OnStart.UNSHELVE) {
            run(call, before, assignment.resources().getFirst().name());
        }
        SimulatedServer now = free(assignment);
        if (now.state() != State.SHELVED_OFFLOADED
                && !assignment.reservation().equals(now.reservation())) {
            call.step(
                    "take_server",
                    null,
                    () -> table.hand(now.id(), now.reservation(), assignment.reservation()));
            free(assignment);
        }
    }

    private void run(CloudCall call, SimulatedServer server, String zone) {
        if (server.state() == State.SHELVED_OFFLOADED) {
            call.step("unshelve_server", null, () -> table.unshelve(server, zone));
            if (table.find(server.id().toString())
                    .filter(now -> now.state() == State.ACTIVE)
                    .isEmpty()) {
                // A predecessor's server may be about to be shelved or deleted.
                throw new CloudFailure(Fault.Kind.RETRYABLE, "The zone " + zone + " has no room");
            }
        } else {
            become(call, server, State.ACTIVE);
        }
    }

    /** Returns the project's server; fails if another reservation has it. */
    private SimulatedServer free(Assignment assignment) {
        SimulatedServer server =
                own(assignment)
                        .orElseThrow(
                                () ->
                                        new CloudFailure(
                                                Fault.Kind.INSUFFICIENT_RESOURCES,
                                                "The project has no server "
                                                        + ServerPlanning.serverId(
                                                                assignment.parameters())));
        if (isAnothers(server, assignment)) {
            // The other lease may soon end.
            throw new CloudFailure(
                    Fault.Kind.RETRYABLE, "The server " + server.id() + " is in another lease");
        }
        return server;
    }

    private Optional<SimulatedServer> own(Assignment assignment) {
        return table.find(ServerPlanning.serverId(assignment.parameters()))
                .filter(server -> isOf(server, assignment.project()));
    }

    private static boolean isOf(SimulatedServer server, ProjectId project) {
        return server.project().equals(project);
    }

    /** Returns whether another lease has it now; a mark that an end could not remove is void. */
    private static boolean isAnothers(SimulatedServer server, Assignment assignment) {
        return Optional.ofNullable(server.reservation())
                .filter(holder -> !holder.equals(assignment.reservation()))
                .flatMap(assignment.others()::wish)
                .filter(wish -> server.id().toString().equals(ServerPlanning.serverId(wish)))
                .isPresent();
    }

    private void end(CloudCall call, SimulatedServer server, Assignment assignment) {
        OnEnd policy = OnEnd.of(assignment.parameters());
        if (policy == OnEnd.SNAPSHOT && server.state() != State.SHELVED_OFFLOADED) {
            call.step(
                    "create_image",
                    null,
                    () -> table.createImage(server.id(), assignment.reservation()));
        }
        if (server.reservation() != null) {
            call.step(
                    "release_server",
                    null,
                    () -> table.hand(server.id(), server.reservation(), null));
        }
        switch (policy) {
            case SHELVE, SNAPSHOT -> become(call, server, State.SHELVED_OFFLOADED);
            case STOP -> rest(call, server, State.SHUTOFF);
            case SUSPEND -> rest(call, server, State.SUSPENDED);
            case DELETE -> call.step("delete_server", null, () -> table.delete(server.id()));
            case KEEP -> {}
        }
    }

    /** Stops or suspends a running server; leaves any other state alone. */
    private void rest(CloudCall call, SimulatedServer server, State state) {
        if (server.state() == State.ACTIVE) {
            become(call, server, state);
        }
    }

    private void become(CloudCall call, SimulatedServer server, State state) {
        if (server.state() != state) {
            call.step(operation(state), null, () -> table.setState(server.id(), state));
        }
    }

    private static String operation(State state) {
        return switch (state) {
            case ACTIVE -> "start_server";
            case SHUTOFF -> "stop_server";
            case SUSPENDED -> "suspend_server";
            case SHELVED_OFFLOADED -> "shelve_server";
        };
    }

    /** Runs a call for a resource, without a reservation. */
    private Result call(String name, CloudCall.Steps steps) {
        return new CloudCall(store, name, null, () -> true).perform(steps);
    }

    private Result call(String name, Assignment assignment, CloudCall.Steps steps) {
        return new CloudCall(store, name, assignment.reservation(), assignment.fence())
                .perform(steps);
    }
}
