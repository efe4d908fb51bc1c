package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.resource.openstack.cinder.ExistingVolume;
import org.leasehold.resource.openstack.cinder.StoragePool;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.resource.volume.VolumeType;
import org.leasehold.vocabulary.ReservationId;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The acting half for volumes: one of the project, of a type whose GiB the calendar holds. */
final class OpenStackVolumes implements Acting {

    private final Cinder cinder;
    private final Nova nova;
    private final PollingWait pollingWait;
    private final @Nullable String region;

    OpenStackVolumes(Cinder cinder, Nova nova, PollingWait patience, @Nullable String region) {
        this.cinder = cinder;
        this.nova = nova;
        this.pollingWait = patience;
        this.region = region;
    }

    @Override
    public Discovery discover(String name) {
        try {
            return cinder.poolsOf(name)
                    .map(pools -> discoverType(name, pools))
                    .orElseGet(Discovery.NotFound::new);
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    /**
     * Returns the room of the largest pool. The scheduler chooses among the pools, and splits no
     * volume: so much fits in any case, wherever it has put earlier volumes.
     */
    private Discovery discoverType(String type, List<StoragePool> pools) {
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
        return CloudCallResults.resultWithIds(
                () -> new ReservedVolumes(cinder, pollingWait, assignment, true).applyAssignment());
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCallResults.resultWithIds(
                () -> {
                    if (VolumePlanning.existing(assignment.parameters()).isEmpty()) {
                        teardown(assignment)
                                .endTypes(leaving.stream().map(Allocation::name).toList());
                    }
                    return new ReservedVolumes(cinder, pollingWait, assignment, false)
                            .applyAssignment();
                });
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCallResults.resultOf(() -> teardown(assignment).endAll());
    }

    private VolumeTeardown teardown(Assignment assignment) {
        return new VolumeTeardown(cinder, nova, pollingWait, assignment);
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return cinder.volumesOf(reservation).stream()
                .map(OpenStackVolumes::describe)
                .sorted()
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCallResults.survey(
                () ->
                        Survey.Seen.of(
                                cinder.volumes().stream()
                                        .flatMap(OpenStackVolumes::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(ExistingVolume volume) {
        return ReservationId.find(volume.mark())
                .map(reservation -> new Survey.Thing(reservation, describe(volume)))
                .stream();
    }

    private static String describe(ExistingVolume volume) {
        return "volume/%s %s GiB reservation:%s"
                .formatted(volume.type(), volume.size(), volume.mark());
    }
}
