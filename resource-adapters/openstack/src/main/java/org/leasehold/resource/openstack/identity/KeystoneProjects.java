package org.leasehold.resource.openstack.identity;

import org.leasehold.lease.Fault;
import org.leasehold.resource.identity.Projects;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.vocabulary.ProjectId;

import tools.jackson.databind.JsonNode;

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
            CloudResponse answer = cloud.rest().send(projectRequest(project));
            return answer.status() == NOT_FOUND && !isFromKeystone(answer, project)
                    ? new Search.Unknown(unexpectedAnswer(answer))
                    : new Search.Known(standing(answer));
        } catch (CloudFailure failure) {
            return new Search.Unknown(failure.fault());
        }
    }

    static CloudRequest projectRequest(ProjectId project) {
        String id = URLEncoder.encode(project.value(), StandardCharsets.UTF_8);
        return CloudRequest.get("identity", "/projects/" + id).expecting(NOT_FOUND);
    }

    /** Returns whether Keystone itself reports no such project: a proxy may return 404, too. */
    private static boolean isFromKeystone(CloudResponse missing, ProjectId project) {
        JsonNode error = missing.body().path("error");
        return error.path("code").asInt(0) == NOT_FOUND
                && error.path("message").asString("").contains(project.value());
    }

    private static Fault unexpectedAnswer(CloudResponse answer) {
        return new Fault(
                Fault.Kind.RETRYABLE,
                "Keystone answered %s to a question about a project, and not in its words"
                        .formatted(answer.status()));
    }

    private static Standing standing(CloudResponse answer) {
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
