package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.openstack.CloudCall;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.stack.AddressPool;
import org.leasehold.resource.stack.OtherHolders;

import java.util.List;
import java.util.stream.Stream;

/** The acting half for stacks of Heat, created as the lease's user or existing before. */
final class OpenStackStacks implements Acting {

    private final Heat heat;
    private final Neutron neutron;
    private final Patience patience;
    private final @Nullable String region;

    OpenStackStacks(Heat heat, Neutron neutron, Patience patience, @Nullable String region) {
        this.heat = heat;
        this.neutron = neutron;
        this.patience = patience;
        this.region = region;
    }

    /** Returns the rest of the pools at the enrolment; other kinds enrol the other needs. */
    @Override
    public Discovery discover(String name) {
        try {
            if (neutron.subnetsOutside(name).isEmpty()) {
                return new Discovery.NotFound();
            }
            var left = neutron.addressesLeft(name);
            return left.isPresent()
                    ? new Discovery.Found(
                            name,
                            region,
                            null,
                            new AddressPool(name, left.getAsLong()).attributes())
                    : new Discovery.Unfit(
                            "Neutron does not tell how many addresses the network %s has left"
                                    .formatted(name));
        } catch (CloudFailure failure) {
            return new Discovery.Unknown(failure.fault());
        }
    }

    /** Does nothing: projects can still take addresses of a pool. */
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
        return CloudCall.done(() -> stack(assignment).rest());
    }

    @Override
    public Result onStart(Assignment assignment) {
        return CloudCall.made(() -> stack(assignment).take());
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCall.made(() -> stack(assignment).change());
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCall.done(() -> stack(assignment).end());
    }

    private ReservedStack stack(Assignment assignment) {
        return ReservedStack.of(heat, patience, assignment);
    }

    /** Lists stacks of the reservation, except suspended ones, which belong to the project. */
    @Override
    public List<String> inspect(ReservationId reservation) {
        return heat.stacks().stream()
                .flatMap(OpenStackStacks::its)
                .filter(thing -> thing.reservation().equals(reservation))
                .map(Survey.Thing::name)
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCall.survey(
                () -> Survey.Seen.of(heat.stacks().stream().flatMap(OpenStackStacks::its)));
    }

    private static Stream<Survey.Thing> its(ExistingStack stack) {
        return stack.isSuspended()
                ? Stream.empty()
                : OtherHolders.reservation(stack.name())
                        .map(reservation -> new Survey.Thing(reservation, "stack/" + stack.name()))
                        .stream();
    }
}
