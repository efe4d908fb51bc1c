package org.leasehold.resource.openstack.identity;

import org.leasehold.lease.Fault;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keystone's trusts. They give one role, {@code member}, whatever roles the user has: it is enough
 * for all that the engine does as the user.
 */
public final class KeystoneTrusts implements Trusts, AutoCloseable {

    private static final String SERVICE = "identity";
    private static final String TRUSTS = "/OS-TRUST/trusts";
    private static final String MEMBER = "member";

    /** A role that members have by implication. */
    private static final String READER = "reader";

    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    public KeystoneTrusts(CloudSettings settings, Clock clock) {
        this.cloud = new Cloud(settings, clock);
    }

    @Override
    public Entrusting createTrust(UserId user, ProjectId project, String token, boolean passedOn) {
        Map<String, Object> trust = new TreeMap<>();
        trust.put("roles", roles(MEMBER));
        if (!passedOn) {
            return entrust(user, project, token, trust);
        }
        trust.put("allow_redelegation", true);
        trust.put("redelegation_count", 1);
        Map<String, Object> withReader = new TreeMap<>(trust);
        // A trustee who passes a trust on passes all roles of the token, implied ones included.
        // Keystone permits it only if the trust names each of them.
        withReader.put("roles", roles(MEMBER, READER));
        Entrusting entrusting = entrust(user, project, token, withReader);
        // In some clouds members are no readers.
        return entrusting instanceof Entrusting.Failed(var fault)
                        && fault.kind() != Fault.Kind.RETRYABLE
                ? entrust(user, project, token, trust)
                : entrusting;
    }

    private static List<Map<String, String>> roles(String... names) {
        return Arrays.stream(names).map(name -> Map.of("name", name)).toList();
    }

    private Entrusting entrust(
            UserId user, ProjectId project, String token, Map<String, Object> terms) {
        try {
            Map<String, Object> trust = new TreeMap<>(terms);
            trust.put("trustor_user_id", user.value());
            trust.put("trustee_user_id", cloud.rest().userId());
            trust.put("project_id", project.value());
            trust.put("impersonation", true);
            // Only the user can create it.
            String id =
                    cloud.rest()
                            .send(CloudRequest.post(SERVICE, TRUSTS, Map.of("trust", trust)), token)
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
            cloud.rest()
                    .send(CloudRequest.delete(SERVICE, TRUSTS + "/" + trust).expecting(NOT_FOUND));
            return Optional.empty();
        } catch (CloudFailure failure) {
            return Optional.of(failure.fault());
        }
    }

    @Override
    public Given list() {
        try {
            return new Given.Known(
                    cloud.rest()
                            .send(given(cloud.rest().userId()))
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
                            "Keystone answered what makes no sense\n" + strange.getMessage()));
        }
    }

    static CloudRequest given(String trustee) {
        return CloudRequest.get(SERVICE, TRUSTS + "?trustee_user_id=" + trustee);
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
