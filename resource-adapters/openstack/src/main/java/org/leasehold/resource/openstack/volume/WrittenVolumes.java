package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.openstack.CloudCall;
import org.leasehold.resource.openstack.cinder.Cinder;

/** Volumes with a lease tag in their metadata. */
record WrittenVolumes(Cinder cinder) implements Petitioning {

    @Override
    public Seen petitions() {
        return CloudCall.petitions(cinder::petitions);
    }

    @Override
    public void tell(Petition petition, @Nullable String problem) {
        CloudCall.done(
                () -> cinder.fencedBy(() -> true).tell(petition.thing(), Petition.ERROR, problem));
    }
}
