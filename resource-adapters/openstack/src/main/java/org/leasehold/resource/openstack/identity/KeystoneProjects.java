package org.leasehold.resource.openstack.identity;

import org.leasehold.lease.ProjectId;
import org.leasehold.resource.identity.Projects;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Request;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** Keystone's projects, as the engine's own user sees them. */
public final class KeystoneProjects implements Projects, AutoCloseable {

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    public KeystoneProjects(CloudSettings settings, Clock clock) {
        this.cloud = new Cloud(settings, clock);
    }

    @Override
    public Search find(ProjectId project) {
        try {
            return new Search.Known(standing(cloud.rest().send(question(project))));
        } catch (CloudFailure failure) {
            return new Search.Unknown(failure.fault());
        }
    }

    static Request question(ProjectId project) {
        String id = URLEncoder.encode(project.value(), StandardCharsets.UTF_8);
        return Request.get("identity", "/projects/" + id).expecting(NOT_FOUND);
    }

    private static Standing standing(Answer answer) {
        if (answer.status() == NOT_FOUND) {
            return Standing.DELETED;
        }
        return answer.body().path("project").path("enabled").asBoolean(true)
                ? Standing.ENABLED
                : Standing.DISABLED;
    }

    @Override
    public void close() {
        cloud.close();
    }
}
