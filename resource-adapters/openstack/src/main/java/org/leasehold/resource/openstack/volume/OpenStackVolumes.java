package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.openstack.CloudCall;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.ExistingVolume;
import org.leasehold.resource.openstack.cinder.Pool;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.resource.volume.VolumeType;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The acting half for volumes: one of the project, of a type whose GiB the calendar holds. */
final class OpenStackVolumes implements Acting {

    private final Cinder cinder;
    private final Nova nova;
    private final Patience patience;
    private final @Nullable String region;

    OpenStackVolumes(Cinder cinder, Nova nova, Patience patience, @Nullable String region) {
        this.cinder = cinder;
        this.nova = nova;
        this.patience = patience;
        this.region = region;
    }

    @Override
    public Discovery discover(String name) {
        try {
            return cinder.poolsOf(name)
                    .map(pools -> look(name, pools))
                    .orElseGet(Discovery.NotFound::new);
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    /**
     * Returns the room of the largest pool. The scheduler chooses among the pools, and splits no
     * volume: so much fits in any case, wherever it has put earlier volumes.
     */
    private Discovery look(String type, List<Pool> pools) {
        return pools.stream()
                .flatMap(pool -> pool.gib().stream())
                .max(Comparator.naturalOrder())
                .<Discovery>map(
                        gib ->
                                new Discovery.Found(
                                        type, region, null, new VolumeType(type, gib).attributes()))
                .orElseGet(
                        () ->
                                new Discovery.Unfit(
                                        "No pool of the volume type %s says how much room it has"
                                                .formatted(type)));
    }

    /** Does nothing, as there is no pool: projects create other volumes of the type anyway. */
    @Override
    public Result enrol(ResourceId id, String name) {
        return new Result.Done();
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return new Result.Done();
    }

    @Override
    public Result onStart(Assignment assignment) {
        return CloudCall.made(() -> new ReservedVolumes(cinder, patience, assignment, true).give());
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCall.made(
                () -> {
                    if (VolumePlanning.existing(assignment.parameters()).isEmpty()) {
                        ending(assignment).of(leaving.stream().map(Allocation::name).toList());
                    }
                    return new ReservedVolumes(cinder, patience, assignment, false).give();
                });
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCall.done(() -> ending(assignment).everything());
    }

    private Ending ending(Assignment assignment) {
        return new Ending(cinder, nova, patience, assignment);
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return cinder.volumesOf(reservation).stream()
                .map(OpenStackVolumes::thing)
                .sorted()
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCall.survey(
                () -> Survey.Seen.of(cinder.volumes().stream().flatMap(OpenStackVolumes::marked)));
    }

    private static Stream<Survey.Thing> marked(ExistingVolume volume) {
        return ReservationId.find(volume.mark())
                .map(reservation -> new Survey.Thing(reservation, thing(volume)))
                .stream();
    }

    private static String thing(ExistingVolume volume) {
        return "volume/%s %s GiB reservation:%s"
                .formatted(volume.type(), volume.size(), volume.mark());
    }
}
