package org.leasehold.query.capacity;

import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.floatingip.FloatingIpPlanning;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.instance.FlavorPlanning;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.requirement.RequirementText;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.resource.volume.VolumePlanning;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a wish that was refused required of resources, as a text: that of a filter. */
final class RefusedWish {

    /** Of what nobody can say, and of those that come when there are too many. */
    static final String OTHERS = "";

    /**
     * So many wishes are told apart for each kind of resources: whoever may ask can make up any
     * number of them.
     */
    static final int MOST = 200;

    /**
     * Whether a plugin is switched on must not matter to what once was: those that everybody has
     * are asked, and what others' wishes require is not known.
     */
    private static final Map<ResourceKind, Planning> PLANNINGS =
            Map.of(
                    ResourceKind.PHYSICAL_HOST, new HostPlanning(),
                    ResourceKind.VIRTUAL_INSTANCE, new InstancePlanning(),
                    ResourceKind.FLAVOR_INSTANCE, new FlavorPlanning(),
                    ResourceKind.FLOATING_IP, new FloatingIpPlanning(),
                    ResourceKind.NETWORK, new NetworkPlanning(),
                    ResourceKind.VOLUME, new VolumePlanning(),
                    ResourceKind.SERVER, new ServerPlanning(),
                    ResourceKind.STACK, new StackPlanning());

    private RefusedWish() {}

    /** What of some wishes was short. */
    static String of(List<ReservationWish> wishes, Shortage shortage) {
        List<Requirement> required =
                wishes.stream()
                        .filter(wish -> wish.id().equals(shortage.reservation()))
                        .flatMap(RefusedWish::demands)
                        .filter(demand -> demand.kind().equals(shortage.kind()))
                        .map(Demand::requirement)
                        .distinct()
                        .toList();
        // A stack may have several for resources of one kind: which of them it was is not told.
        return required.size() == 1
                ? RequirementText.of(required.getFirst()).orElse(OTHERS)
                : OTHERS;
    }

    private static Stream<Demand> demands(ReservationWish wish) {
        Planning planning = PLANNINGS.get(wish.kind());
        return planning != null && planning.plan(wish.parameters()) instanceof Plan.Planned planned
                ? planned.demands().stream()
                : Stream.empty();
    }
}
