package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.neutron.Neutron;
import org.leasehold.resource.stack.AddressPool;
import org.leasehold.resource.stack.OtherStackHolders;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.stream.Stream;

/** The acting half for stacks of Heat, created as the lease's user or existing before. */
final class OpenStackStacks implements Acting {

    private final Heat heat;
    private final Neutron neutron;
    private final PollingWait pollingWait;
    private final @Nullable String region;

    OpenStackStacks(Heat heat, Neutron neutron, PollingWait patience, @Nullable String region) {
        this.heat = heat;
        this.neutron = neutron;
        this.pollingWait = patience;
        this.region = region;
    }

    /** Returns the rest of the pools at the enrolment; other kinds enrol the other needs. */
    @Override
    public Discovery discover(String name) {
        try {
            if (neutron.externalSubnets(name).isEmpty()) {
                return new Discovery.NotFound();
            }
            var left = neutron.freeAddresses(name);
            return left.isPresent()
                    ? new Discovery.Found(
                            name,
                            region,
                            null,
                            new AddressPool(name, left.getAsLong()).attributes())
                    : new Discovery.Unfit(
                            "Neutron does not report how many addresses the network %s has left"
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
        return CloudCallResults.resultOf(() -> stack(assignment).suspend());
    }

    @Override
    public Result onStart(Assignment assignment) {
        return CloudCallResults.resultWithIds(() -> stack(assignment).start());
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return CloudCallResults.resultWithIds(() -> stack(assignment).applyRequest());
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return CloudCallResults.resultOf(() -> stack(assignment).end());
    }

    private ReservedStack stack(Assignment assignment) {
        return ReservedStack.of(heat, pollingWait, assignment);
    }

    /** Lists stacks of the reservation, except suspended ones, which belong to the project. */
    @Override
    public List<String> inspect(ReservationId reservation) {
        return heat.stacks().stream()
                .flatMap(OpenStackStacks::surveyEntries)
                .filter(thing -> thing.reservation().equals(reservation))
                .map(Survey.Thing::name)
                .toList();
    }

    @Override
    public Survey survey() {
        return CloudCallResults.survey(
                () ->
                        Survey.Seen.of(
                                heat.stacks().stream().flatMap(OpenStackStacks::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(ExistingStack stack) {
        return stack.isSuspended()
                ? Stream.empty()
                : OtherStackHolders.reservation(stack.name())
                        .map(reservation -> new Survey.Thing(reservation, "stack/" + stack.name()))
                        .stream();
    }
}
