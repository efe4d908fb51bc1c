package org.leasehold.resource.openstack.heat;

import org.leasehold.resource.openstack.Request;
import org.leasehold.resource.openstack.Rights;

/** The rights that plug-ins need in Heat. */
public final class HeatRights {

    private HeatRights() {}

    public static void of(Rights rights) {
        rights.ask(
                "list the stacks of all projects (its policy stacks:global_index)",
                Request.get(Heat.ORCHESTRATION, Heat.STACKS + "?limit=1&" + Heat.ALL_PROJECTS));
    }
}
