package org.leasehold.resource.simulator.floatingip;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The acting half for the simulated cloud's floating IPs. It works as Blazar does. */
final class SimulatedFloatingIps implements Acting {

    private final CloudStore store;
    private final FloatingIpTable table;

    SimulatedFloatingIps(CloudStore store, FloatingIpTable table) {
        this.store = store;
        this.table = table;
    }

    @Override
    public Discovery discover(String name) {
        List<Discovery> found = new ArrayList<>();
        Result result = call("discover", call -> found.add(discoverFloatingIp(name)));
        return switch (result) {
            case Result.Done _ -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    private Discovery discoverFloatingIp(String name) {
        Optional<FloatingIp> named = FloatingIp.fromName(name);
        if (named.isEmpty()) {
            return new Discovery.NotFound();
        }
        FloatingIp ip = named.get();
        List<Subnet> subnets = table.subnets(ip.network());
        if (subnets.isEmpty()) {
            return Subnet.networkNotFound(ip);
        }
        return table.find(ip)
                .filter(taken -> taken.reservation() == null)
                .<Discovery>map(
                        taken ->
                                new Discovery.InUse(
                                        ip.name(), List.of("project " + taken.project())))
                .orElseGet(() -> Subnet.discover(ip, null, subnets));
    }

    /** Does nothing, as there is no pool: only leases give users such an address. */
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
                                .forEach(ip -> delete(call, ip.ip(), reservation)));
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return table.findByReservation(reservation).stream()
                .map(ip -> describe(ip, reservation))
                .toList();
    }

    @Override
    public Survey survey() {
        return SimulatedCloudCall.survey(
                store,
                () ->
                        Survey.Seen.of(
                                table.all().stream().flatMap(SimulatedFloatingIps::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(SimulatedFloatingIp ip) {
        return Stream.ofNullable(ip.reservation())
                .map(reservation -> new Survey.Thing(reservation, describe(ip, reservation)));
    }

    private static String describe(SimulatedFloatingIp ip, ReservationId reservation) {
        return "floatingip/" + ip.ip().name() + " reservation:" + reservation;
    }

    private void applyAssignment(SimulatedCloudCall call, Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        List<FloatingIp> wanted =
                assignment.resources().stream()
                        .map(resource -> FloatingIp.fromName(resource.name()).orElseThrow())
                        .toList();
        table.findByReservation(reservation).stream()
                .map(SimulatedFloatingIp::ip)
                .filter(ip -> !wanted.contains(ip))
                .forEach(ip -> delete(call, ip, reservation));
        wanted.forEach(ip -> create(call, ip, assignment));
    }

    private void create(SimulatedCloudCall call, FloatingIp ip, Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        Optional<SimulatedFloatingIp> there = table.find(ip);
        if (there.isEmpty()) {
            call.step(
                    "create_floatingip",
                    ip.address(),
                    () -> table.create(ip, assignment.project(), reservation));
            there = table.find(ip);
        }
        if (there.filter(taken -> reservation.equals(taken.reservation())).isEmpty()) {
            throw SimulatedCloudException.insufficientResources(
                    ip.address(), "is of another project");
        }
    }

    private void delete(SimulatedCloudCall call, FloatingIp ip, ReservationId reservation) {
        call.step("delete_floatingip", ip.address(), () -> table.delete(ip, reservation));
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
