package org.leasehold.resource.openstack.stack;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.stack.StackPlanning;

import java.util.Map;

/** One call for a reservation's stack. */
sealed interface ReservedStack permits CreatedStack, PreexistingStack {

    static ReservedStack of(Heat heat, PollingWait patience, Assignment assignment) {
        StackOperations call = new StackOperations(heat, patience, assignment);
        return StackPlanning.existing(assignment.parameters())
                .<ReservedStack>map(id -> new PreexistingStack(call, id))
                .orElseGet(() -> new CreatedStack(call));
    }

    /** Suspends the stack, if it exists. */
    void suspend();

    /** Creates or resumes the stack, and returns its ids. */
    Map<String, Object> start();

    /** Updates the stack to the present request, and returns its ids. */
    Map<String, Object> applyRequest();

    /** Applies the reservation's action at its end. */
    void end();
}
