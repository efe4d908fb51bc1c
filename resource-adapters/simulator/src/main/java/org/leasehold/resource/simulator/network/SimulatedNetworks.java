package org.leasehold.resource.simulator.network;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The acting half for simulated networks: all VXLANs, and the VLANs of one physical network. */
final class SimulatedNetworks implements Acting {

    private static final String PHYSICAL = "physnet1";

    private final CloudStore store;
    private final NetworkTable table;

    SimulatedNetworks(CloudStore store, NetworkTable table) {
        this.store = store;
        this.table = table;
    }

    @Override
    public Discovery discover(String name) {
        List<Discovery> found = new ArrayList<>();
        Result result = call("discover", call -> found.add(discoverSegment(name)));
        return switch (result) {
            case Result.Done _ -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    private Discovery discoverSegment(String name) {
        return Segment.fromName(name)
                .map(this::discoverSegment)
                .orElseGet(() -> Segment.invalidName(name));
    }

    private Discovery discoverSegment(Segment segment) {
        String physical = segment.physical();
        if (physical != null && !physical.equals(PHYSICAL)) {
            return new Discovery.NotFound();
        }
        return table.find(segment)
                .filter(taken -> taken.reservation() == null)
                .<Discovery>map(
                        taken ->
                                new Discovery.InUse(
                                        segment.name(),
                                        List.of(
                                                "the network %s of project %s"
                                                        .formatted(taken.name(), taken.project()))))
                .orElseGet(
                        () ->
                                new Discovery.Found(
                                        segment.name(), null, null, segment.attributes()));
    }

    /** Does nothing, as there is no pool: only leases give users a segment. */
    @Override
    public Result enrol(ResourceId id, String name) {
        return call("enrol", call -> {});
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return call("retire", call -> {});
    }

    @Override
    public Result onStart(Assignment assignment) {
        return call("start", assignment, call -> applyAssignment(call, assignment));
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return call("adjust", assignment, call -> applyAssignment(call, assignment));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return call("before_end", assignment, call -> {});
    }

    @Override
    public Result onEnd(Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        return call(
                "end",
                assignment,
                call ->
                        table.findByReservation(reservation)
                                .forEach(network -> delete(call, network.segment(), reservation)));
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return table.findByReservation(reservation).stream()
                .map(network -> describe(network, reservation))
                .toList();
    }

    @Override
    public Survey survey() {
        return SimulatedCloudCall.survey(
                store,
                () ->
                        Survey.Seen.of(
                                table.all().stream().flatMap(SimulatedNetworks::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(SimulatedNetwork network) {
        return Stream.ofNullable(network.reservation())
                .map(reservation -> new Survey.Thing(reservation, describe(network, reservation)));
    }

    private static String describe(SimulatedNetwork network, ReservationId reservation) {
        return "network/" + network.segment().name() + " reservation:" + reservation;
    }

    private void applyAssignment(SimulatedCloudCall call, Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        List<Segment> wanted =
                assignment.resources().stream()
                        .map(resource -> Segment.fromName(resource.name()).orElseThrow())
                        .toList();
        table.findByReservation(reservation).stream()
                .map(SimulatedNetwork::segment)
                .filter(segment -> !wanted.contains(segment))
                .forEach(segment -> delete(call, segment, reservation));
        wanted.forEach(segment -> create(call, segment, assignment));
    }

    private void create(SimulatedCloudCall call, Segment segment, Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        Optional<SimulatedNetwork> there = table.find(segment);
        if (there.isEmpty()) {
            SimulatedNetwork ownNetwork =
                    new SimulatedNetwork(
                            segment,
                            String.valueOf(assignment.parameters().get(NetworkPlanning.NAME)),
                            NetworkPlanning.description(assignment.parameters()),
                            assignment.project(),
                            reservation);
            call.step("create_network", segment.name(), () -> table.create(ownNetwork));
            there = table.find(segment);
        }
        if (there.filter(taken -> reservation.equals(taken.reservation())).isEmpty()) {
            throw SimulatedCloudException.insufficientResources(
                    segment.name(), "is of another project");
        }
    }

    private void delete(SimulatedCloudCall call, Segment segment, ReservationId reservation) {
        call.step("delete_network", segment.name(), () -> table.delete(segment, reservation));
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
