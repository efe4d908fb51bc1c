package org.leasehold.resource.openstack.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.neutron.ExistingFloatingIp;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The acting half for Neutron's floating IPs. It works as Blazar does, to continue its leases. */
final class OpenStackFloatingIps implements Acting {

    private final Neutron neutron;
    private final ParallelCalls parallelCalls;
    private final @Nullable String region;

    OpenStackFloatingIps(Neutron neutron, ParallelCalls sideBySide, @Nullable String region) {
        this.neutron = neutron;
        this.parallelCalls = sideBySide;
        this.region = region;
    }

    @Override
    public Discovery discover(String name) {
        try {
            return FloatingIp.fromName(name)
                    .map(this::discoverFloatingIp)
                    .orElseGet(Discovery.NotFound::new);
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    private Discovery discoverFloatingIp(FloatingIp ip) {
        Optional<List<Subnet>> subnets = neutron.externalSubnets(ip.network());
        if (subnets.isEmpty()) {
            return Subnet.networkNotFound(ip);
        }
        List<String> users = users(ip);
        return users.isEmpty()
                ? Subnet.discover(ip, region, subnets.get())
                : new Discovery.InUse(ip.name(), users);
    }

    /** Returns the users of the address other than reservations. */
    private List<String> users(FloatingIp ip) {
        List<String> users = new ArrayList<>(neutron.portsAt(ip));
        neutron.findAt(ip)
                .filter(found -> !found.origin().isOfAnyReservation())
                .ifPresent(found -> users.add("project " + found.origin().project()));
        return users;
    }

    /** Does nothing, as there is no pool: Neutron gives users no address outside its pools. */
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
        return CloudCallResults.resultOf(() -> ips(assignment).applyAssignment(List.of()));
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCallResults.resultOf(() -> ips(assignment).applyAssignment(leaving));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCallResults.resultOf(() -> ips(assignment).deleteAll());
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return neutron.floatingIpsOf(reservation).stream()
                .map(OpenStackFloatingIps::describe)
                .sorted()
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCallResults.survey(
                () ->
                        Survey.Seen.of(
                                neutron.floatingIps().stream()
                                        .flatMap(ip -> ip.origin().surveyEntries(describe(ip)))));
    }

    private static String describe(ExistingFloatingIp ip) {
        return "floatingip/" + ip.ip().name() + " " + ip.origin().formatTags();
    }

    private ReservedFloatingIps ips(Assignment assignment) {
        return new ReservedFloatingIps(neutron, parallelCalls, assignment);
    }
}
