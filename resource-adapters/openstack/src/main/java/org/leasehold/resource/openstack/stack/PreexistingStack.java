package org.leasehold.resource.openstack.stack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.HeatChanges;
import org.leasehold.resource.stack.OtherStackHolders;
import org.leasehold.resource.stack.StackEndAction;
import org.leasehold.resource.stack.StackPlanning;

import java.util.Map;
import java.util.Optional;

/**
 * A stack that the project had before, found by its name and id in the request. Nothing can be
 * written on it; so the call leaves it to its other holders.
 */
record PreexistingStack(StackOperations call, String id) implements ReservedStack {

    private Optional<ExistingStack> find() {
        return call.find(stackName(), id);
    }

    private String stackName() {
        return StackPlanning.existingName(call.assignment().parameters()).orElse("");
    }

    @Override
    public void suspend() {
        if (!OtherStackHolders.exist(call.assignment())) {
            call.suspend(this::find);
        }
    }

    @Override
    public Map<String, Object> start() {
        if (OtherStackHolders.anyComesFirst(call.assignment())) {
            throw StackOperations.failure(
                    Fault.Kind.RETRYABLE, "The stack %s is in another lease".formatted(id));
        }
        call.ensureState(this::find, stack -> !isSuspended(stack), HeatChanges::resume);
        return call.ids(find().orElseThrow(this::missingStack));
    }

    private static boolean isSuspended(ExistingStack stack) {
        return stack.hasAction("SUSPEND") || (stack.hasAction("RESUME") && stack.hasFailed());
    }

    /** Changes nothing, because only its project changes it. */
    @Override
    public Map<String, Object> applyRequest() {
        return call.ids(find().orElseThrow(this::missingStack));
    }

    @Override
    public void end() {
        if (OtherStackHolders.exist(call.assignment())) {
            return;
        }
        switch (StackEndAction.of(call.assignment().parameters())) {
            case DELETE -> call.delete(this::find);
            case SUSPEND -> call.suspend(this::find);
            case KEEP -> {}
        }
    }

    private CloudFailure missingStack() {
        return StackOperations.failure(
                Fault.Kind.INSUFFICIENT_RESOURCES, "The project has no stack " + id);
    }
}
