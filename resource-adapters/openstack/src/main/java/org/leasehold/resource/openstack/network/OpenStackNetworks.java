package org.leasehold.resource.openstack.network;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.neutron.ExistingNetwork;
import org.leasehold.resource.openstack.neutron.ExistingRouter;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.stream.Stream;

/** The acting half for networks: one of the project, on the segment that the calendar holds. */
final class OpenStackNetworks implements Acting {

    private final Neutron neutron;
    private final ParallelCalls parallelCalls;
    private final @Nullable String region;

    OpenStackNetworks(Neutron neutron, ParallelCalls sideBySide, @Nullable String region) {
        this.neutron = neutron;
        this.parallelCalls = sideBySide;
        this.region = region;
    }

    @Override
    public Discovery discover(String name) {
        try {
            return Segment.fromName(name)
                    .map(this::discoverSegment)
                    .orElseGet(() -> Segment.invalidName(name));
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    /** Returns a segment that is not in use. Neutron does not show which segments can exist. */
    private Discovery discoverSegment(Segment segment) {
        return neutron.findAt(segment)
                .filter(network -> !network.origin().isOfAnyReservation())
                .<Discovery>map(
                        network ->
                                new Discovery.InUse(
                                        segment.name(),
                                        List.of(
                                                "the network %s (%s) of project %s"
                                                        .formatted(
                                                                network.name(),
                                                                network.id(),
                                                                network.origin().project()))))
                .orElseGet(
                        () ->
                                new Discovery.Found(
                                        segment.name(), region, null, segment.attributes()));
    }

    /** Does nothing, as there is no pool: only administrators choose a segment. */
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
                () -> networks(assignment).applyAssignment(List.of()));
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCallResults.resultWithIds(() -> networks(assignment).applyAssignment(leaving));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCallResults.resultOf(() -> networks(assignment).deleteAll());
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return Stream.concat(
                        neutron.networksOf(reservation).stream().map(OpenStackNetworks::describe),
                        neutron.routersOf(reservation).stream().map(OpenStackNetworks::describe))
                .sorted()
                .toList();
    }

    @Override
    public Survey survey() {
        // An end tags routers half-way, and may be interrupted after that.
        return CloudCallResults.survey(
                () ->
                        Survey.Seen.of(
                                Stream.concat(
                                        neutron.networks().stream()
                                                .flatMap(
                                                        each ->
                                                                each.origin()
                                                                        .surveyEntries(
                                                                                describe(each))),
                                        neutron.routers().stream()
                                                .flatMap(
                                                        each ->
                                                                each.origin()
                                                                        .surveyEntries(
                                                                                describe(each))))));
    }

    private static String describe(ExistingNetwork network) {
        Segment segment = network.segment();
        return "network/%s %s"
                .formatted(
                        segment == null ? network.id() : segment.name(),
                        network.origin().formatTags());
    }

    private static String describe(ExistingRouter router) {
        return "router/%s %s".formatted(router.id(), router.origin().formatTags());
    }

    private ReservedNetworks networks(Assignment assignment) {
        return new ReservedNetworks(neutron, parallelCalls, assignment);
    }
}
