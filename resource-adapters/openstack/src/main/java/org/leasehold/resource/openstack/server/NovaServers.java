package org.leasehold.resource.openstack.server;

import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.compute.Nova;
import org.leasehold.resource.server.Servers;
import org.leasehold.vocabulary.ProjectId;

/** Nova's servers. The engine's own user sees all of them; a project has only its own. */
record NovaServers(Nova nova) implements Servers {

    @Override
    public Search find(String id, ProjectId project) {
        try {
            return nova.server(id)
                    .filter(server -> server.project().equals(project.value()))
                    .<Search>map(server -> new Search.Found(server.room()))
                    .orElseGet(Search.NotFound::new);
        } catch (CloudFailure failure) {
            return new Search.Unknown(failure.fault());
        }
    }
}
