package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.ResourcePlugin.Listening;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaNotificationListener;

/**
 * Servers with a lease tag in their metadata.
 *
 * @param notifications null if the operator has set none
 */
record ServerLeaseTags(Nova nova, @Nullable NovaNotificationListener notifications)
        implements LeaseTagSource {

    @Override
    public Listening subscribe(Runnable news) {
        return notifications == null ? () -> {} : notifications.listenToServers(news);
    }

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
