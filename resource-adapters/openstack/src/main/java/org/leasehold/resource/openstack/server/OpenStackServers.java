package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.openstack.CloudCall;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.compute.Aggregate;
import org.leasehold.resource.openstack.compute.ExistingServer;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.server.Room;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The acting half for servers: one of the project, in a zone whose room the calendar holds. */
final class OpenStackServers implements Acting {

    private final Nova nova;
    private final Patience patience;
    private final @Nullable String region;

    OpenStackServers(Nova nova, Patience patience, @Nullable String region) {
        this.nova = nova;
        this.patience = patience;
        this.region = region;
    }

    @Override
    public Discovery discover(String name) {
        try {
            return nova.hostsOf(name)
                    .map(hosts -> look(name, hosts))
                    .orElseGet(Discovery.NotFound::new);
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    /** Returns the room of hosts that are not leased as such, as those have none for others. */
    private Discovery look(String zone, Set<String> hosts) {
        Aggregate.Listing aggregates = nova.aggregates();
        List<Hypervisor> usable =
                nova.hypervisors().stream()
                        .filter(Hypervisor::usable)
                        .filter(each -> hosts.contains(each.host()))
                        .filter(each -> !isLeasable(aggregates, each))
                        .toList();
        return usable.isEmpty()
                ? new Discovery.Unfit(
                        "The availability zone %s has no host that runs and is not leased as such"
                                .formatted(zone))
                : new Discovery.Found(zone, region, zone, room(zone, usable).attributes());
    }

    private static boolean isLeasable(Aggregate.Listing aggregates, Hypervisor hypervisor) {
        return aggregates.aggregates().stream()
                .filter(each -> each.hosts().contains(hypervisor.host()))
                .anyMatch(each -> each.name().equals(Aggregate.FREEPOOL) || each.isOfReservation());
    }

    private static Room room(String zone, List<Hypervisor> hypervisors) {
        return new Room(
                zone,
                sum(hypervisors, "vcpus"),
                sum(hypervisors, "memory_mb"),
                sum(hypervisors, "local_gb"));
    }

    private static long sum(List<Hypervisor> hypervisors, String attribute) {
        return hypervisors.stream()
                .map(each -> each.attributes().get(attribute))
                .mapToLong(amount -> amount instanceof Number number ? number.longValue() : 0)
                .sum();
    }

    /** Does nothing, as there is no pool: projects have other servers in the zone anyway. */
    @Override
    public Result enrol(ResourceId id, String name) {
        return new Result.Done();
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return new Result.Done();
    }

    @Override
    public Result prepare(Assignment assignment) {
        return CloudCall.done(() -> server(assignment).shelveUntilItsStart());
    }

    @Override
    public Result onStart(Assignment assignment) {
        return CloudCall.done(() -> server(assignment).take());
    }

    /** Marks the server. Its room may be in another zone by now, but it stays in its own. */
    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCall.done(() -> server(assignment).keep());
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCall.done(() -> server(assignment).end());
    }

    private ReservedServer server(Assignment assignment) {
        return new ReservedServer(nova, patience, assignment);
    }

    /** Lists all servers, because Nova does not find servers by their metadata. */
    @Override
    public List<String> inspect(ReservationId reservation) {
        return nova.servers().stream()
                .filter(server -> server.isOf(reservation))
                .map(OpenStackServers::thing)
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCall.survey(
                () -> Survey.Seen.of(nova.servers().stream().flatMap(OpenStackServers::marked)));
    }

    private static Stream<Survey.Thing> marked(ExistingServer server) {
        return ReservationId.find(server.mark())
                .map(reservation -> new Survey.Thing(reservation, thing(server)))
                .stream();
    }

    private static String thing(ExistingServer server) {
        return "server/%s %s reservation:%s"
                .formatted(server.room().zone(), server.status(), server.mark());
    }
}
