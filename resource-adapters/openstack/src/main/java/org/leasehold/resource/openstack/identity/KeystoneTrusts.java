package org.leasehold.resource.openstack.identity;

import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.Request;

import tools.jackson.databind.JsonNode;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keystone's trusts. They give one role, {@code member}, whatever the user has: that is enough for
 * all that is done as them.
 */
public final class KeystoneTrusts implements Trusts, AutoCloseable {

    private static final String SERVICE = "identity";
    private static final String TRUSTS = "/OS-TRUST/trusts";
    private static final String ROLE = "member";
    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    public KeystoneTrusts(CloudSettings settings, Clock clock) {
        this.cloud = new Cloud(settings, clock);
    }

    @Override
    public Entrusting entrust(UserId user, ProjectId project, String token) {
        try {
            Map<String, ?> trust =
                    Map.of(
                            "trustor_user_id", user.value(),
                            "trustee_user_id", cloud.rest().user(),
                            "project_id", project.value(),
                            "impersonation", true,
                            "roles", List.of(Map.of("name", ROLE)));
            // Nobody but the user can give it.
            String id =
                    cloud.rest()
                            .send(Request.post(SERVICE, TRUSTS, Map.of("trust", trust)), token)
                            .body()
                            .path("trust")
                            .path("id")
                            .asString("");
            return id.isEmpty()
                    ? new Entrusting.Failed(
                            new Fault(Fault.Kind.RETRYABLE, "Keystone made a trust without an id"))
                    : new Entrusting.Entrusted(new TrustId(id));
        } catch (CloudFailure failure) {
            return new Entrusting.Failed(failure.fault());
        }
    }

    @Override
    public Optional<Fault> revoke(TrustId trust) {
        try {
            cloud.rest().send(Request.delete(SERVICE, TRUSTS + "/" + trust).expecting(NOT_FOUND));
            return Optional.empty();
        } catch (CloudFailure failure) {
            return Optional.of(failure.fault());
        }
    }

    @Override
    public Given given() {
        try {
            String path = TRUSTS + "?trustee_user_id=" + cloud.rest().user();
            return new Given.Known(
                    cloud.rest()
                            .send(Request.get(SERVICE, path))
                            .body()
                            .path("trusts")
                            .valueStream()
                            .map(KeystoneTrusts::trust)
                            .toList());
        } catch (CloudFailure failure) {
            return new Given.Unknown(failure.fault());
        } catch (IllegalArgumentException strange) {
            return new Given.Unknown(
                    new Fault(
                            Fault.Kind.RETRYABLE,
                            "Keystone answered what makes no sense: " + strange.getMessage()));
        }
    }

    private static Trust trust(JsonNode found) {
        String project = found.path("project_id").asString("");
        return new Trust(
                new TrustId(found.path("id").asString("")),
                new UserId(found.path("trustor_user_id").asString("")),
                project.isEmpty() ? null : new ProjectId(project));
    }

    @Override
    public void close() {
        cloud.close();
    }
}
