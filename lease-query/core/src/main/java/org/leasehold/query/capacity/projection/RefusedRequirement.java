package org.leasehold.query.capacity.projection;

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
import org.leasehold.resource.requirement.RequirementFormatter;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.resource.volume.VolumePlanning;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The requirement of a refused request, as the text of a filter. */
public final class RefusedRequirement {

    /** The text for unknown requirements, and for those beyond the limit. */
    public static final String OTHER_REQUESTS = "";

    /**
     * The largest number of distinct requests for each kind of resources: a caller can make up any
     * number of them.
     */
    static final int MAX_DISTINCT_REQUESTS = 200;

    /**
     * The built-in planners. A plug-in's activation must not affect the past, so only those that
     * everybody has are used; the requirements of other kinds are unknown.
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

    private RefusedRequirement() {}

    /** Returns the requirement of the request that was short. */
    static String of(List<ReservationWish> wishes, Shortage shortage) {
        List<Requirement> required =
                wishes.stream()
                        .filter(wish -> wish.id().equals(shortage.reservation()))
                        .flatMap(RefusedRequirement::demands)
                        .filter(demand -> demand.kind().equals(shortage.kind()))
                        .map(Demand::requirement)
                        .distinct()
                        .toList();
        // A stack may have several for resources of one kind: the shortage does not say which.
        return required.size() == 1
                ? RequirementFormatter.of(required.getFirst()).orElse(OTHER_REQUESTS)
                : OTHER_REQUESTS;
    }

    private static Stream<Demand> demands(ReservationWish wish) {
        Planning planning = PLANNINGS.get(wish.kind());
        return planning != null && planning.plan(wish.parameters()) instanceof Plan.Planned planned
                ? planned.demands().stream()
                : Stream.empty();
    }
}
