package org.leasehold.resource.openstack.stack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.HeatChanges;
import org.leasehold.resource.stack.OnEnd;
import org.leasehold.resource.stack.OtherHolders;
import org.leasehold.resource.stack.StackPlanning;

import java.util.Map;
import java.util.Optional;

/**
 * A stack that the project had before, found by its name and id in the request. Nothing can be
 * written on it; so the call leaves it to its other holders.
 */
record ProjectsStack(StackCall call, String id) implements ReservedStack {

    private Optional<ExistingStack> find() {
        return call.find(knownName(), id);
    }

    private String knownName() {
        return StackPlanning.existingName(call.assignment().parameters()).orElse("");
    }

    @Override
    public void rest() {
        if (!OtherHolders.exist(call.assignment())) {
            call.rest(this::find);
        }
    }

    @Override
    public Map<String, Object> take() {
        if (OtherHolders.comeFirst(call.assignment())) {
            throw StackCall.failure(
                    Fault.Kind.RETRYABLE, "The stack %s is in another lease".formatted(id));
        }
        call.bring(this::find, stack -> !isAsleep(stack), HeatChanges::resume);
        return call.ids(find().orElseThrow(this::gone));
    }

    private static boolean isAsleep(ExistingStack stack) {
        return stack.was("SUSPEND") || (stack.was("RESUME") && stack.hasFailed());
    }

    /** Changes nothing, because only its project changes it. */
    @Override
    public Map<String, Object> change() {
        return call.ids(find().orElseThrow(this::gone));
    }

    @Override
    public void end() {
        if (OtherHolders.exist(call.assignment())) {
            return;
        }
        switch (OnEnd.of(call.assignment().parameters())) {
            case DELETE -> call.delete(this::find);
            case SUSPEND -> call.rest(this::find);
            case KEEP -> {}
        }
    }

    private CloudFailure gone() {
        return StackCall.failure(
                Fault.Kind.INSUFFICIENT_RESOURCES, "The project has no stack " + id);
    }
}
