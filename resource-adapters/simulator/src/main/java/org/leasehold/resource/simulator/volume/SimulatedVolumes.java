package org.leasehold.resource.simulator.volume;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.resource.volume.VolumeEndAction;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The acting half for simulated volumes: new ones, and those that projects have already. */
final class SimulatedVolumes implements Acting {

    private final CloudStore store;
    private final VolumeTable table;

    SimulatedVolumes(CloudStore store, VolumeTable table) {
        this.store = store;
        this.table = table;
    }

    @Override
    public Discovery discover(String name) {
        List<Discovery> found = new ArrayList<>();
        Result result = call("discover", call -> found.add(discoverType(name)));
        return switch (result) {
            case Result.Done _ -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    private Discovery discoverType(String name) {
        return table.type(name)
                .<Discovery>map(
                        type -> new Discovery.Found(type.name(), null, null, type.attributes()))
                .orElseGet(Discovery.NotFound::new);
    }

    /** Does nothing, as there is no pool: projects create other volumes of the type anyway. */
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
        List<String> types = leaving.stream().map(Allocation::name).toList();
        return call(
                "adjust",
                assignment,
                call -> {
                    if (VolumePlanning.existing(assignment.parameters()).isEmpty()) {
                        table.findByReservation(assignment.reservation()).stream()
                                .filter(volume -> types.contains(volume.type()))
                                .forEach(volume -> end(call, volume, assignment));
                    }
                    applyAssignment(call, assignment);
                });
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return call("before_end", assignment, call -> {});
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return call(
                "end",
                assignment,
                call ->
                        table.findByReservation(assignment.reservation())
                                .forEach(volume -> end(call, volume, assignment)));
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return table.findByReservation(reservation).stream()
                .map(volume -> describe(volume, reservation))
                .toList();
    }

    @Override
    public Survey survey() {
        return SimulatedCloudCall.survey(
                store,
                () ->
                        Survey.Seen.of(
                                table.all().stream().flatMap(SimulatedVolumes::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(SimulatedVolume volume) {
        return Stream.ofNullable(volume.reservation())
                .map(reservation -> new Survey.Thing(reservation, describe(volume, reservation)));
    }

    private static String describe(SimulatedVolume volume, ReservationId reservation) {
        return "volume/%s %s GiB reservation:%s"
                .formatted(volume.type(), volume.size(), reservation);
    }

    private void applyAssignment(SimulatedCloudCall call, Assignment assignment) {
        VolumePlanning.existing(assignment.parameters())
                .ifPresentOrElse(
                        id -> markVolume(call, UUID.fromString(id), assignment),
                        () ->
                                assignment
                                        .resources()
                                        .forEach(
                                                type ->
                                                        createOrExtend(
                                                                call, type.name(), assignment)));
    }

    private void markVolume(SimulatedCloudCall call, UUID id, Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        if (requireAvailableVolume(id, assignment).reservation() == null) {
            call.step(
                    "take_volume",
                    id.toString(),
                    () -> table.changeReservation(id, null, reservation));
            requireAvailableVolume(id, assignment);
        }
    }

    private SimulatedVolume requireAvailableVolume(UUID id, Assignment assignment) {
        SimulatedVolume volume =
                table.find(id)
                        .filter(found -> found.project().equals(assignment.project()))
                        .orElseThrow(
                                () ->
                                        new SimulatedCloudException(
                                                Fault.Kind.INSUFFICIENT_RESOURCES,
                                                "The project has no volume " + id));
        ReservationId holder = volume.reservation();
        if (holder != null && !holder.equals(assignment.reservation())) {
            // The other lease may end later.
            throw new SimulatedCloudException(
                    Fault.Kind.RETRYABLE, "The volume " + id + " is in another lease");
        }
        return volume;
    }

    private void createOrExtend(SimulatedCloudCall call, String type, Assignment assignment) {
        int size = VolumePlanning.size(assignment.parameters());
        Optional<SimulatedVolume> there = findVolume(type, assignment);
        if (there.isEmpty()) {
            SimulatedVolume ownVolume = newVolume(type, size, assignment);
            call.step("create_volume", type, () -> table.create(ownVolume));
        } else if (there.get().size() < size) {
            call.step("extend_volume", type, () -> table.extend(there.get(), size));
        }
        if (findVolume(type, assignment).filter(volume -> volume.size() >= size).isEmpty()) {
            // A predecessor's volume may be about to be deleted.
            throw new SimulatedCloudException(
                    Fault.Kind.RETRYABLE, "The volume type " + type + " has no room");
        }
    }

    private Optional<SimulatedVolume> findVolume(String type, Assignment assignment) {
        return table.findByReservation(assignment.reservation()).stream()
                .filter(volume -> volume.type().equals(type))
                .findFirst();
    }

    private static SimulatedVolume newVolume(String type, int size, Assignment assignment) {
        return new SimulatedVolume(
                UUID.randomUUID(),
                type,
                size,
                String.valueOf(assignment.parameters().get(VolumePlanning.NAME)),
                String.valueOf(assignment.parameters().get(VolumePlanning.DESCRIPTION)),
                assignment.project(),
                false,
                assignment.reservation());
    }

    /** Ends the use of a volume. One that stays loses the mark last, for a retry of the end. */
    private void end(SimulatedCloudCall call, SimulatedVolume volume, Assignment assignment) {
        switch (VolumeEndAction.of(assignment.parameters())) {
            case DELETE -> {
                detach(call, volume);
                call.step("delete_volume", volume.type(), () -> table.delete(volume.id()));
            }
            case SNAPSHOT -> {
                detach(call, volume);
                call.step(
                        "create_snapshot",
                        volume.type(),
                        () -> table.createSnapshot(volume.id(), assignment.reservation()));
                release(call, volume, assignment);
            }
            case DETACH -> {
                detach(call, volume);
                release(call, volume, assignment);
            }
            case KEEP -> release(call, volume, assignment);
        }
    }

    private void detach(SimulatedCloudCall call, SimulatedVolume volume) {
        if (volume.attached()) {
            call.step("detach_volume", volume.type(), () -> table.setAttached(volume.id(), false));
        }
    }

    private void release(SimulatedCloudCall call, SimulatedVolume volume, Assignment assignment) {
        call.step(
                "release_volume",
                volume.type(),
                () -> table.changeReservation(volume.id(), assignment.reservation(), null));
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
