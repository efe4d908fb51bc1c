package org.leasehold.resource.openstack.server;

import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.compute.LeasableServers;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.vocabulary.ProjectId;

/** The servers of all projects that can get a default lease. */
record ServerDefaultLeases(Nova nova) implements DefaultLeaseSource {

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
