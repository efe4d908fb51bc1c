package org.leasehold.resource.openstack.instance;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The acting half for instances. It works as Blazar does, to continue its leases. */
final class OpenStackInstances implements Acting {

    private final Cloud cloud;
    private final PollingWait pollingWait;
    private final ParallelCalls parallelCalls;

    OpenStackInstances(Cloud cloud, PollingWait patience, ParallelCalls sideBySide) {
        this.cloud = cloud;
        this.pollingWait = patience;
        this.parallelCalls = sideBySide;
    }

    /** Finds nothing: instances are leased on hosts, which are enrolled as such. */
    @Override
    public Discovery discover(String name) {
        return new Discovery.NotFound();
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        return new Result.Failed(
                new Fault(
                        Fault.Kind.PERMANENT,
                        "Instances are leased on hosts: " + name + " can be enrolled as one"));
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return new Result.Done();
    }

    @Override
    public Result onStart(Assignment assignment) {
        return CloudCallResults.resultWithIds(() -> instancesOf(assignment).applyAssignment());
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return onAdjust(assignment, leaving, List.of());
    }

    @Override
    public Result onAdjust(
            Assignment assignment, List<Allocation> leaving, List<Replacement> replacements) {
        // Hosts leave if they are in the aggregate, but not in the assignment. A leaving host has
        // no slots of this reservation any more if its provider has none.
        return CloudCallResults.resultWithIds(
                () -> instancesOf(assignment).adjust(leaving, replacements));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCallResults.resultOf(() -> instancesOf(assignment).releaseAll());
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        Nova nova = new Nova(cloud);
        ReservedFlavor flavor = new ReservedFlavor(cloud, () -> false, reservation);
        ReservedSlots slots = new ReservedSlots(new Placement(cloud), () -> false, reservation);
        List<String> names = new ArrayList<>();
        if (flavor.exists()) {
            names.add("flavor/" + reservation);
        }
        flavor.projectsWithAccess().forEach(project -> names.add("project/" + project));
        if (slots.hasClass()) {
            names.add("resource class/" + reservation);
        }
        if (new ReservedServerGroup(cloud, () -> false, reservation).exists()) {
            names.add("server group/" + reservation);
        }
        nova.aggregates()
                .findByName(reservation.toString())
                .ifPresent(own -> names.addAll(inspect(nova, own, slots)));
        nova.serversOfFlavor(reservation.toString()).stream()
                .map(server -> "server/" + server.name())
                .sorted()
                .forEach(names::add);
        return names;
    }

    /** Checks flavors and aggregates, with two lists for all reservations. */
    @Override
    public LossResult findLosses(Collection<ReservationId> running) {
        return CloudCallResults.losses(
                () -> {
                    Set<ReservationId> complete =
                            new HashSet<>(ReservedFlavor.allReservations(cloud));
                    complete.retainAll(
                            new Nova(cloud)
                                    .aggregates()
                                    .resourcesByReservation(ReservedInstances::isOfInstances)
                                    .keySet());
                    Set<ReservationId> lost = new HashSet<>(running);
                    lost.removeAll(complete);
                    return new LossResult.Known(lost);
                });
    }

    @Override
    public Survey survey() {
        return CloudCallResults.survey(
                () -> new Survey.Seen(new InstanceSurvey(cloud, parallelCalls).findAll()));
    }

    private static List<String> inspect(Nova nova, NovaAggregate own, ReservedSlots slots) {
        List<String> names = new ArrayList<>(List.of("aggregate/" + own.name()));
        for (String host : own.hosts()) {
            names.add("host/" + host);
            nova.hypervisorOf(host)
                    .map(Hypervisor::name)
                    .ifPresent(
                            name ->
                                    slots.findProvider(name)
                                            .flatMap(slots::count)
                                            .map(count -> InstanceSurvey.slotsName(name, count))
                                            .ifPresent(names::add));
        }
        return names;
    }

    private ReservedInstances instancesOf(Assignment assignment) {
        return new ReservedInstances(cloud, pollingWait, parallelCalls, assignment);
    }
}
