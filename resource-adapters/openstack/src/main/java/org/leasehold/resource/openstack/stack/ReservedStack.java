package org.leasehold.resource.openstack.stack;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.Patience;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.stack.StackPlanning;

import java.util.Map;

/** One call for a reservation's stack. */
sealed interface ReservedStack permits NewStack, ProjectsStack {

    static ReservedStack of(Heat heat, Patience patience, Assignment assignment) {
        StackCall call = new StackCall(heat, patience, assignment);
        return StackPlanning.existing(assignment.parameters())
                .<ReservedStack>map(id -> new ProjectsStack(call, id))
                .orElseGet(() -> new NewStack(call));
    }

    /** Suspends the stack, if it exists. */
    void rest();

    /** Creates or resumes the stack, and returns its ids. */
    Map<String, Object> take();

    /** Updates the stack to the present request, and returns its ids. */
    Map<String, Object> change();

    /** Applies the reservation's action at its end. */
    void end();
}
