package org.leasehold.resource.simulator.server;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.server.ServerEndAction;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.server.ServerStartAction;
import org.leasehold.resource.server.Servers;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.resource.simulator.server.SimulatedServer.State;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

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
    private static ComputeCapacity roomOf(SimulatedServer server) {
        ComputeCapacity room = server.room();
        return server.state() == State.SHELVED_OFFLOADED
                ? new ComputeCapacity("", room.vcpus(), room.memoryMb(), room.diskGb())
                : room;
    }

    @Override
    public Discovery discover(String name) {
        List<Discovery> found = new ArrayList<>();
        Result result = call("discover", call -> found.add(discoverZone(name)));
        return switch (result) {
            case Result.Done _ -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    private Discovery discoverZone(String name) {
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
                        findServer(assignment)
                                .filter(server -> !isInOtherLease(server, assignment))
                                .ifPresent(
                                        server ->
                                                changeState(
                                                        call, server, State.SHELVED_OFFLOADED)));
    }

    @Override
    public Result onStart(Assignment assignment) {
        return call("start", assignment, call -> startAndMark(call, assignment, true));
    }

    /** Marks the server. Its room may be in another zone by now, but it stays in its own. */
    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return call("adjust", assignment, call -> startAndMark(call, assignment, false));
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
                        findServer(assignment)
                                .filter(server -> !isInOtherLease(server, assignment))
                                .ifPresent(server -> end(call, server, assignment)));
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return table.findByReservation(reservation).stream()
                .map(server -> describe(server, reservation))
                .toList();
    }

    @Override
    public Survey survey() {
        return SimulatedCloudCall.survey(
                store,
                () ->
                        Survey.Seen.of(
                                table.all().stream().flatMap(SimulatedServers::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(SimulatedServer server) {
        return Stream.ofNullable(server.reservation())
                .map(reservation -> new Survey.Thing(reservation, describe(server, reservation)));
    }

    private static String describe(SimulatedServer server, ReservationId reservation) {
        return "server/%s %s reservation:%s"
                .formatted(server.room().zone(), server.state(), reservation);
    }

    private void startAndMark(SimulatedCloudCall call, Assignment assignment, boolean starting) {
        SimulatedServer before = requireAvailableServer(assignment);
        if (starting
                && ServerStartAction.of(assignment.parameters()) == ServerStartAction.UNSHELVE) {
            startServer(call, before, assignment.resources().getFirst().name());
        }
        SimulatedServer now = requireAvailableServer(assignment);
        if (now.state() != State.SHELVED_OFFLOADED
                && !assignment.reservation().equals(now.reservation())) {
            call.step(
                    "take_server",
                    null,
                    () ->
                            table.changeReservation(
                                    now.id(), now.reservation(), assignment.reservation()));
            requireAvailableServer(assignment);
        }
    }

    private void startServer(SimulatedCloudCall call, SimulatedServer server, String zone) {
        if (server.state() == State.SHELVED_OFFLOADED) {
            call.step("unshelve_server", null, () -> table.unshelve(server, zone));
            if (table.find(server.id().toString())
                    .filter(now -> now.state() == State.ACTIVE)
                    .isEmpty()) {
                // A predecessor's server may be about to be shelved or deleted.
                throw new SimulatedCloudException(
                        Fault.Kind.RETRYABLE, "The zone " + zone + " has no room");
            }
        } else {
            changeState(call, server, State.ACTIVE);
        }
    }

    /** Returns the project's server; fails if another reservation has it. */
    private SimulatedServer requireAvailableServer(Assignment assignment) {
        SimulatedServer server =
                findServer(assignment)
                        .orElseThrow(
                                () ->
                                        new SimulatedCloudException(
                                                Fault.Kind.INSUFFICIENT_RESOURCES,
                                                "The project has no server "
                                                        + ServerPlanning.serverId(
                                                                assignment.parameters())));
        if (isInOtherLease(server, assignment)) {
            // The other lease may end later.
            throw new SimulatedCloudException(
                    Fault.Kind.RETRYABLE, "The server " + server.id() + " is in another lease");
        }
        return server;
    }

    private Optional<SimulatedServer> findServer(Assignment assignment) {
        return table.find(ServerPlanning.serverId(assignment.parameters()))
                .filter(server -> isOf(server, assignment.project()));
    }

    private static boolean isOf(SimulatedServer server, ProjectId project) {
        return server.project().equals(project);
    }

    /** Returns whether another lease has it now; a mark that an end could not remove is void. */
    private static boolean isInOtherLease(SimulatedServer server, Assignment assignment) {
        return Optional.ofNullable(server.reservation())
                .filter(holder -> !holder.equals(assignment.reservation()))
                .flatMap(assignment.others()::requestOf)
                .filter(wish -> server.id().toString().equals(ServerPlanning.serverId(wish)))
                .isPresent();
    }

    private void end(SimulatedCloudCall call, SimulatedServer server, Assignment assignment) {
        ServerEndAction policy = ServerEndAction.of(assignment.parameters());
        if (policy == ServerEndAction.SNAPSHOT && server.state() != State.SHELVED_OFFLOADED) {
            call.step(
                    "create_image",
                    null,
                    () -> table.createImage(server.id(), assignment.reservation()));
        }
        if (server.reservation() != null) {
            call.step(
                    "release_server",
                    null,
                    () -> table.changeReservation(server.id(), server.reservation(), null));
        }
        switch (policy) {
            case SHELVE, SNAPSHOT -> changeState(call, server, State.SHELVED_OFFLOADED);
            case STOP -> stopIfActive(call, server, State.SHUTOFF);
            case SUSPEND -> stopIfActive(call, server, State.SUSPENDED);
            case DELETE -> call.step("delete_server", null, () -> table.delete(server.id()));
            case KEEP -> {}
        }
    }

    /** Stops or suspends a running server; leaves any other state alone. */
    private void stopIfActive(SimulatedCloudCall call, SimulatedServer server, State state) {
        if (server.state() == State.ACTIVE) {
            changeState(call, server, state);
        }
    }

    private void changeState(SimulatedCloudCall call, SimulatedServer server, State state) {
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
    private Result call(String name, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, null, () -> true).perform(steps);
    }

    private Result call(String name, Assignment assignment, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, assignment.reservation(), assignment.fence())
                .perform(steps);
    }
}
