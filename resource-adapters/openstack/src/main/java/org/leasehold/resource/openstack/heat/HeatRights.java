package org.leasehold.resource.openstack.heat;

import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.RequiredRights;

/** The rights that plug-ins need in Heat. */
public final class HeatRights {

    private HeatRights() {}

    public static void addTo(RequiredRights rights) {
        rights.addQuery(
                "list the stacks of all projects (its policy stacks:global_index)",
                CloudRequest.get(
                        Heat.ORCHESTRATION, Heat.STACKS + "?limit=1&" + Heat.ALL_PROJECTS));
    }
}
