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

    /** Has it suspended, if it is there. */
    void rest();

    /** Has it made, or resumed, and tells what it is called. */
    Map<String, Object> take();

    /** Has it made into what is wished now, and tells what it is called. */
    Map<String, Object> change();

    /** Does with it what the reservation says. */
    void end();
}
