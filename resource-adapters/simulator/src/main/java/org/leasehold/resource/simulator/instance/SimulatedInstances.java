package org.leasehold.resource.simulator.instance;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.Survey;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.host.SimulatedHosts;
import org.leasehold.resource.simulator.host.SimulatedIds;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The acting half for instances on the simulated cloud. It works as Blazar does: a flavor named
 * after the reservation, and slots of its size on hosts, which stay in the pool.
 */
final class SimulatedInstances implements Acting {

    private final CloudStore store;
    private final InstanceSlotTable slots;

    /** The hosts, which are the same for all kinds of reservations. */
    private final SimulatedHosts hosts;

    SimulatedInstances(CloudStore store, InstanceSlotTable slots) {
        this.store = store;
        this.slots = slots;
        this.hosts = new SimulatedHosts(store);
    }

    @Override
    public Discovery discover(String name) {
        return hosts.discover(name);
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        return hosts.enrol(id, name);
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return hosts.retire(id, name);
    }

    @Override
    public Result onStart(Assignment assignment) {
        return SimulatedIds.withIds(
                call("start", assignment, call -> applyAssignment(call, assignment)), assignment);
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return call("adjust", assignment, call -> applyAssignment(call, assignment));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        return call(
                "end",
                assignment,
                call -> {
                    slots.slotsByHost(reservation)
                            .keySet()
                            .forEach(host -> clearSlots(call, reservation, host));
                    if (slots.hasFlavor(reservation)) {
                        call.step("delete_flavor", null, () -> slots.deleteFlavor(reservation));
                    }
                });
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        List<String> names = new ArrayList<>();
        if (slots.hasFlavor(reservation)) {
            names.add("flavor/" + reservation);
        }
        slots.slotsByHost(reservation)
                .forEach((host, count) -> names.add("slots/" + host + "/" + count));
        return names;
    }

    /** Checks flavors: this cloud has no aggregates for instances. */
    @Override
    public LossResult findLosses(Collection<ReservationId> running) {
        return SimulatedCloudCall.losses(
                store,
                () -> {
                    Set<ReservationId> lost = new HashSet<>(running);
                    slots.reservationsWithFlavor().forEach(lost::remove);
                    return new LossResult.Known(lost);
                });
    }

    @Override
    public Survey survey() {
        return SimulatedCloudCall.survey(
                store,
                () ->
                        Survey.Seen.of(
                                slots.reservationsWithFlavor().stream()
                                        .flatMap(this::surveyEntries)));
    }

    private Stream<Survey.Thing> surveyEntries(ReservationId reservation) {
        return inspect(reservation).stream().map(thing -> new Survey.Thing(reservation, thing));
    }

    private void applyAssignment(SimulatedCloudCall call, Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        if (!slots.hasFlavor(reservation)) {
            Flavor source = Flavor.ofSlots(assignment.parameters());
            call.step(
                    "create_flavor",
                    null,
                    () -> slots.createFlavor(reservation, assignment.project(), source));
        }
        Map<String, Integer> present = slots.slotsByHost(reservation);
        List<String> wanted = assignment.resources().stream().map(Allocation::name).toList();
        present.keySet().stream()
                .filter(host -> !wanted.contains(host))
                .forEach(host -> clearSlots(call, reservation, host));
        for (Allocation allocation : assignment.resources()) {
            if (present.getOrDefault(allocation.name(), 0) != allocation.slots()) {
                call.step(
                        "set_slots",
                        allocation.name(),
                        () -> slots.setSlots(reservation, allocation.name(), allocation.slots()));
            }
        }
    }

    private void clearSlots(SimulatedCloudCall call, ReservationId reservation, String host) {
        call.step("clear_slots", host, () -> slots.clearSlots(reservation, host));
    }

    private Result call(String name, Assignment assignment, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, assignment.reservation(), assignment.fence())
                .perform(steps);
    }
}
