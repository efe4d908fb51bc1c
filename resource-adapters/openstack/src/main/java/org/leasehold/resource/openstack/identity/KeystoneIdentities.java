package org.leasehold.resource.openstack.identity;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.identity.Identities;
import org.leasehold.resource.identity.Identity;
import org.leasehold.resource.identity.Identity.AccessRule;
import org.leasehold.resource.identity.Identity.Scope;
import org.leasehold.resource.identity.Revocation;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.RequiredRights;
import org.leasehold.resource.openstack.SettingsCheck;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A client of Keystone for tokens and revocations, with the engine's own token. */
public final class KeystoneIdentities implements Identities, AutoCloseable {

    private static final String SERVICE = "identity";
    private static final String REVOKED = "/OS-REVOKE/events";
    private static final Set<String> COMMON_EVENT_FIELDS = Set.of("issued_before", "revoked_at");

    private final Cloud cloud;
    private final URI address;

    public KeystoneIdentities(CloudSettings settings, Clock clock) {
        this.cloud = new Cloud(settings, clock);
        this.address = settings.authUrl();
    }

    @Override
    public URI address() {
        return address;
    }

    /** Checks whether the engine can log in to Keystone. */
    public CloudCheck check() {
        return new SettingsCheck(cloud).run();
    }

    /**
     * Returns the rights that the engine needs in Keystone, but one. Only the first token of
     * another user shows the right to validate it: all users may validate their own.
     */
    public List<RequiredRight> rights() {
        ProjectId nobodys = new ProjectId("0".repeat(32));
        return new RequiredRights(cloud)
                .addQuery("read what was revoked", CloudRequest.get(SERVICE, REVOKED))
                .addQuery("read projects", KeystoneProjects.projectRequest(nobodys))
                .addQuery(
                        SERVICE,
                        "list the trusts that users gave it",
                        () -> cloud.rest().send(KeystoneTrusts.given(cloud.rest().userId())))
                .all();
    }

    @Override
    public Validation validate(String token) {
        CloudRequest request =
                CloudRequest.get(SERVICE, "/auth/tokens?nocatalog")
                        .header("X-Subject-Token", token)
                        // Declares that we check access rules; otherwise such tokens are not found.
                        .header("OpenStack-Identity-Access-Rules", "1.0")
                        .expecting(400, 404);
        try {
            CloudResponse answer = cloud.rest().send(request);
            return answer.status() >= 400
                    ? new Validation.Refused()
                    : new Validation.Valid(identity(answer.body().path("token")));
        } catch (CloudFailure failure) {
            return new Validation.Unknown(failure.fault());
        } catch (DateTimeException | IllegalArgumentException strange) {
            return new Validation.Unknown(unexpectedAnswer(strange));
        }
    }

    @Override
    public Revocations revocations(@Nullable Instant since) {
        String path = REVOKED + (since == null ? "" : "?since=" + since);
        try {
            JsonNode events =
                    cloud.rest().send(CloudRequest.get(SERVICE, path)).body().path("events");
            return new Revocations.Known(set(events, KeystoneIdentities::revocation));
        } catch (CloudFailure failure) {
            return new Revocations.Unknown(failure.fault());
        } catch (DateTimeException | IllegalArgumentException strange) {
            return new Revocations.Unknown(unexpectedAnswer(strange));
        }
    }

    private static Fault unexpectedAnswer(RuntimeException why) {
        return new Fault(
                Fault.Kind.RETRYABLE, "Keystone answered what makes no sense\n" + why.getMessage());
    }

    private static Identity identity(JsonNode token) {
        UserId user = user(token.path("user"));
        JsonNode trust = token.path("OS-TRUST:trust");
        Set<UserId> users = new HashSet<>(Set.of(user));
        if (trust.isObject()) {
            users.add(user(trust.path("trustor_user")));
            users.add(user(trust.path("trustee_user")));
        }
        JsonNode rules = token.path("application_credential").path("access_rules");
        return new Identity(
                user,
                token.path("user").path("name").asString(user.value()),
                scope(token),
                set(token.path("roles"), role -> text(role, "name")),
                CloudResponse.instant(token.path("expires_at")),
                set(token.path("audit_ids"), id -> id.asString("")),
                users,
                rules.isArray() ? accessRules(rules) : null);
    }

    private static Scope scope(JsonNode token) {
        JsonNode project = token.path("project");
        if (project.isObject()) {
            return new Scope.Project(new ProjectId(text(project, "id")), text(project, "name"));
        }
        if (token.path("system").path("all").asBoolean(false)) {
            return new Scope.WholeSystem();
        }
        return token.path("domain").isObject() ? new Scope.Domain() : new Scope.Nowhere();
    }

    private static List<AccessRule> accessRules(JsonNode rules) {
        return rules.valueStream()
                .map(r -> new AccessRule(text(r, "service"), text(r, "method"), text(r, "path")))
                .toList();
    }

    private static Revocation revocation(JsonNode event) {
        Set<String> says = new HashSet<>(event.propertyNames());
        says.removeAll(COMMON_EVENT_FIELDS);
        return new Revocation(
                CloudResponse.instant(event.path("revoked_at")),
                event.toString(),
                says.equals(Set.of("audit_id")) ? text(event, "audit_id") : null,
                says.equals(Set.of("user_id")) ? new UserId(text(event, "user_id")) : null);
    }

    private static UserId user(JsonNode user) {
        return new UserId(text(user, "id"));
    }

    private static String text(JsonNode object, String name) {
        return object.path(name).asString("");
    }

    private static <T> Set<T> set(JsonNode array, Function<JsonNode, T> of) {
        return array.valueStream().map(of).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void close() {
        cloud.close();
    }
}
