package org.leasehold.resource.openstack.server;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.ResourcePlugin.Listening;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.compute.LeasableServers;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.openstack.compute.NovaNotificationListener;
import org.leasehold.vocabulary.ProjectId;

/**
 * The servers of all projects that can get a default lease.
 *
 * @param notifications null if the operator has set none
 */
record ServerDefaultLeases(Nova nova, @Nullable NovaNotificationListener notifications)
        implements DefaultLeaseSource {

    @Override
    public Listening subscribe(Runnable news) {
        return notifications == null ? () -> {} : notifications.listenToServers(news);
    }

    @Override
    public Listing findLeasableObjects() {
        return CloudCallResults.listLeasable(() -> new LeasableServers(nova).list());
    }

    @Override
    public Presence check(String id, ProjectId project) {
        try {
            return nova.server(id)
                            .filter(server -> server.project().equals(project.value()))
                            .isPresent()
                    ? Presence.PRESENT
                    : Presence.DELETED;
        } catch (CloudFailure failure) {
            return Presence.UNKNOWN;
        }
    }
}
