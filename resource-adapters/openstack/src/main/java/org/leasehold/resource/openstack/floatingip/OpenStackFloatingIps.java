package org.leasehold.resource.openstack.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.openstack.CloudCall;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.neutron.ExistingIp;
import org.leasehold.resource.openstack.neutron.Neutron;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The acting half for Neutron's floating IPs. It works as Blazar does, to continue its leases. */
final class OpenStackFloatingIps implements Acting {

    private final Neutron neutron;
    private final SideBySide sideBySide;
    private final @Nullable String region;

    OpenStackFloatingIps(Neutron neutron, SideBySide sideBySide, @Nullable String region) {
        this.neutron = neutron;
        this.sideBySide = sideBySide;
        this.region = region;
    }

    @Override
    public Discovery discover(String name) {
        try {
            return FloatingIp.named(name).map(this::look).orElseGet(Discovery.NotFound::new);
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    private Discovery look(FloatingIp ip) {
        Optional<List<Subnet>> subnets = neutron.subnetsOutside(ip.network());
        if (subnets.isEmpty()) {
            return Subnet.noNetwork(ip);
        }
        List<String> users = users(ip);
        return users.isEmpty()
                ? Subnet.look(ip, region, subnets.get())
                : new Discovery.InUse(ip.name(), users);
    }

    /** Returns the users of the address other than reservations. */
    private List<String> users(FloatingIp ip) {
        List<String> users = new ArrayList<>(neutron.portsAt(ip));
        neutron.at(ip)
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
        return CloudCall.done(() -> ips(assignment).giveExactly(List.of()));
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCall.done(() -> ips(assignment).giveExactly(leaving));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCall.done(() -> ips(assignment).takeBack());
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return neutron.floatingIpsOf(reservation).stream()
                .map(OpenStackFloatingIps::thing)
                .sorted()
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCall.survey(
                () ->
                        Survey.Seen.of(
                                neutron.floatingIps().stream()
                                        .flatMap(ip -> ip.origin().things(thing(ip)))));
    }

    private static String thing(ExistingIp ip) {
        return "floatingip/" + ip.ip().name() + " " + ip.origin().tagged();
    }

    private ReservedIps ips(Assignment assignment) {
        return new ReservedIps(neutron, sideBySide, assignment);
    }
}
