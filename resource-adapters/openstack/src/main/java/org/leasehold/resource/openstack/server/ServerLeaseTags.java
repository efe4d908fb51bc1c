package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.compute.Nova;

/** Servers with a lease tag in their metadata. */
record ServerLeaseTags(Nova nova) implements LeaseTagSource {

    @Override
    public Seen findTaggedObjects() {
        return CloudCallResults.findTaggedObjects(nova::taggedServers);
    }

    @Override
    public void writeError(LeaseTaggedObject object, @Nullable String problem) {
        CloudCallResults.resultOf(
                () ->
                        nova.fencedBy(() -> true)
                                .writeMetadata(object.thing(), LeaseTaggedObject.ERROR, problem));
    }
}
