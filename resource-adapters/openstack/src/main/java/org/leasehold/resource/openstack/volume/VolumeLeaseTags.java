package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.cinder.Cinder;

/** Volumes with a lease tag in their metadata. */
record VolumeLeaseTags(Cinder cinder) implements LeaseTagSource {

    @Override
    public Seen findTaggedObjects() {
        return CloudCallResults.findTaggedObjects(cinder::taggedVolumes);
    }

    @Override
    public void writeError(LeaseTaggedObject object, @Nullable String problem) {
        CloudCallResults.resultOf(
                () ->
                        cinder.fencedBy(() -> true)
                                .writeMetadata(object.thing(), LeaseTaggedObject.ERROR, problem));
    }
}
