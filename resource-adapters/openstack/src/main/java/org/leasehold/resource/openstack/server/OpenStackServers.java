package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.ExistingServer;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaAggregate;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The acting half for servers: one of the project, in a zone whose room the calendar holds. */
final class OpenStackServers implements Acting {

    private final Nova nova;
    private final PollingWait pollingWait;
    private final @Nullable String region;

    OpenStackServers(Nova nova, PollingWait patience, @Nullable String region) {
        this.nova = nova;
        this.pollingWait = patience;
        this.region = region;
    }

    @Override
    public Discovery discover(String name) {
        try {
            return nova.hostsOf(name)
                    .map(hosts -> discoverZone(name, hosts))
                    .orElseGet(Discovery.NotFound::new);
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    /** Returns the room of hosts that are not leased as such, as those have none for others. */
    private Discovery discoverZone(String zone, Set<String> hosts) {
        NovaAggregate.Listing aggregates = nova.aggregates();
        List<Hypervisor> usable =
                nova.hypervisors().stream()
                        .filter(Hypervisor::isUsable)
                        .filter(each -> hosts.contains(each.host()))
                        .filter(each -> !aggregates.hasLeasableHost(each.host()))
                        .toList();
        return usable.isEmpty()
                ? new Discovery.Unfit(
                        "The availability zone %s has no host that runs and is not leased as such"
                                .formatted(zone))
                : new Discovery.Found(zone, region, zone, capacity(zone, usable).attributes());
    }

    private static ComputeCapacity capacity(String zone, List<Hypervisor> hypervisors) {
        return new ComputeCapacity(
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
        return CloudCallResults.resultOf(() -> server(assignment).shelveBeforeStart());
    }

    @Override
    public Result onStart(Assignment assignment) {
        return CloudCallResults.resultOf(() -> server(assignment).start());
    }

    /** Marks the server. Its room may be in another zone by now, but it stays in its own. */
    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCallResults.resultOf(() -> server(assignment).mark());
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCallResults.resultOf(() -> server(assignment).end());
    }

    private ReservedServer server(Assignment assignment) {
        return new ReservedServer(nova, pollingWait, assignment);
    }

    /** Lists all servers, because Nova does not find servers by their metadata. */
    @Override
    public List<String> inspect(ReservationId reservation) {
        return nova.servers().stream()
                .filter(server -> server.isOf(reservation))
                .map(OpenStackServers::describe)
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCallResults.survey(
                () ->
                        Survey.Seen.of(
                                nova.servers().stream().flatMap(OpenStackServers::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(ExistingServer server) {
        return ReservationId.find(server.mark())
                .map(reservation -> new Survey.Thing(reservation, describe(server)))
                .stream();
    }

    private static String describe(ExistingServer server) {
        return "server/%s %s reservation:%s"
                .formatted(server.room().zone(), server.status(), server.mark());
    }
}
