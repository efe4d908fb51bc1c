package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.openstack.CloudCall;
import org.leasehold.resource.openstack.compute.Nova;

/** Servers with a lease tag in their metadata. */
record WrittenServers(Nova nova) implements Petitioning {

    @Override
    public Seen petitions() {
        return CloudCall.petitions(nova::petitions);
    }

    @Override
    public void tell(Petition petition, @Nullable String problem) {
        CloudCall.done(
                () -> nova.fencedBy(() -> true).tell(petition.thing(), Petition.ERROR, problem));
    }
}
