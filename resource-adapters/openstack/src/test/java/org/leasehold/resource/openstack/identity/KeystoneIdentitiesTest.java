package org.leasehold.resource.openstack.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.identity.Identities.Revocations;
import org.leasehold.resource.identity.Identities.Validation;
import org.leasehold.resource.identity.Identity;
import org.leasehold.resource.identity.Identity.AccessRule;
import org.leasehold.resource.identity.Identity.Scope;
import org.leasehold.resource.identity.Revocation;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.SettableClock;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

class KeystoneIdentitiesTest {

    private static final Map<String, Object> TOKEN =
            Map.of(
                    "user", Map.of("id", "u1", "name", "demo"),
                    "expires_at", "2030-01-01T01:00:00.000000Z",
                    "issued_at", "2030-01-01T00:00:00.000000Z",
                    "audit_ids", List.of("a1", "a0"),
                    "roles", List.of(Map.of("id", "r1", "name", "member")));
    private static final Map<String, Object> PROJECT = Map.of("id", "p1", "name", "demo");

    private final SettableClock clock = new SettableClock();
    private final FakeOpenStack cloud = new FakeOpenStack(clock);
    private final KeystoneIdentities identities =
            new KeystoneIdentities(CloudSettings.of(cloud.settings()), clock);

    @AfterEach
    void close() {
        identities.close();
        cloud.close();
    }

    @Test
    void a_project_token_gives_an_identity_with_user_project_and_roles() {
        cloud.token("theirs", with("project", PROJECT));

        assertThat(identities.validate("theirs"))
                .isEqualTo(
                        new Validation.Valid(
                                new Identity(
                                        new UserId("u1"),
                                        "demo",
                                        new Scope.Project(new ProjectId("p1"), "demo"),
                                        Set.of("member"),
                                        Instant.parse("2030-01-01T01:00:00Z"),
                                        Set.of("a0", "a1"),
                                        Set.of(new UserId("u1")),
                                        null)));
        FakeOpenStack.Asked asked = cloud.asked("identity").getFirst();
        assertThat(asked.headers())
                .containsEntry("x-subject-token", "theirs")
                .containsEntry("x-auth-token", "engine-1")
                .containsEntry("openstack-identity-access-rules", "1.0");
    }

    @Test
    void the_identity_contains_the_scope_of_the_token() {
        cloud.token("of-a-domain", with("domain", Map.of("id", "d1")));
        cloud.token("of-the-system", with("system", Map.of("all", true)));
        cloud.token("of-a-part-of-the-system", with("system", Map.of("all", false)));
        cloud.token("of-nothing", TOKEN);

        assertThat(identity("of-a-domain").scope()).isEqualTo(new Scope.Domain());
        assertThat(identity("of-the-system").scope()).isEqualTo(new Scope.WholeSystem());
        assertThat(identity("of-the-system").roles()).containsExactly("member");
        assertThat(identity("of-a-part-of-the-system").scope()).isEqualTo(new Scope.Nowhere());
        assertThat(identity("of-nothing").scope()).isEqualTo(new Scope.Nowhere());
    }

    @Test
    void the_identity_contains_the_access_rules_of_an_application_credential() {
        Map<String, String> rule =
                Map.of("service", "reservation", "method", "GET", "path", "/v1/leases");
        cloud.token(
                "restricted",
                with("application_credential", Map.of("access_rules", List.of(rule))));
        cloud.token("free", with("application_credential", Map.of("id", "ac")));

        assertThat(identity("restricted").accessRules())
                .containsExactly(new AccessRule("reservation", "GET", "/v1/leases"));
        assertThat(identity("free").accessRules()).isNull();
    }

    /** The format of the expiry of an application credential's token. */
    @Test
    void a_time_without_a_zone_is_utc() {
        cloud.token("short-lived", with("expires_at", "2030-01-01T00:00:05"));

        assertThat(identity("short-lived").expires())
                .isEqualTo(Instant.parse("2030-01-01T00:00:05Z"));
    }

    @Test
    void the_identity_of_a_trust_token_contains_trustor_and_trustee() {
        cloud.token(
                "trusted",
                with(
                        "OS-TRUST:trust",
                        Map.of(
                                "trustor_user", Map.of("id", "u1"),
                                "trustee_user", Map.of("id", "u2"))));

        assertThat(identity("trusted").users())
                .containsExactlyInAnyOrder(new UserId("u1"), new UserId("u2"));
    }

    @Test
    void a_token_that_keystone_does_not_find_is_refused() {
        assertThat(identities.validate("garbage")).isEqualTo(new Validation.Refused());

        cloud.token("theirs", TOKEN);
        cloud.token("theirs", null);
        assertThat(identities.validate("theirs")).isEqualTo(new Validation.Refused());
    }

    @Test
    void a_failed_login_of_the_engine_leaves_the_token_validity_unknown() {
        cloud.token("theirs", TOKEN);
        Map<String, String> settings = new HashMap<>(cloud.settings());
        settings.put("password", "a wrong one");

        try (KeystoneIdentities locked =
                new KeystoneIdentities(CloudSettings.of(settings), clock)) {
            assertThat(locked.validate("theirs")).isInstanceOf(Validation.Unknown.class);
        }
    }

    @Test
    void the_engine_renews_a_login_that_keystone_has_invalidated() {
        cloud.token("theirs", TOKEN);
        identity("theirs");
        cloud.forgetLogins();

        assertThat(identity("theirs").user()).isEqualTo(new UserId("u1"));
        assertThat(cloud.logins()).isEqualTo(2);
    }

    @Test
    void a_malformed_response_gives_an_unknown_result() {
        cloud.token("without-a-user", Map.of("roles", List.of()));
        cloud.token("with-a-strange-time", with("expires_at", "soon"));

        assertThat(identities.validate("without-a-user")).isInstanceOf(Validation.Unknown.class);
        assertThat(identities.validate("with-a-strange-time"))
                .isInstanceOf(Validation.Unknown.class);

        cloud.keystone(request -> new Said(200, "text/html", "<p>Sorry</p>"));
        assertThat(identities.validate("theirs")).isInstanceOf(Validation.Unknown.class);
        assertThat(identities.revocations(null)).isInstanceOf(Revocations.Unknown.class);
    }

    @Test
    void a_revocation_names_a_token_a_user_or_neither() {
        Map<String, String> token = event("audit_id", "a1");
        Map<String, String> user = event("user_id", "u1");
        Map<String, String> trust = event("OS-TRUST:trust_id", "t1");
        cloud.answer(
                "identity",
                request -> Said.json(200, Map.of("events", List.of(token, user, trust))));

        Revocations answer = identities.revocations(Instant.parse("2030-01-01T00:00:00Z"));

        assertThat(answer).isInstanceOf(Revocations.Known.class);
        if (answer instanceof Revocations.Known(Set<Revocation> known)) {
            assertThat(known)
                    .extracting(Revocation::auditId, Revocation::user)
                    .containsExactlyInAnyOrder(
                            tuple("a1", null), tuple(null, new UserId("u1")), tuple(null, null));
        }
        assertThat(cloud.asked("identity").getFirst().path())
                .isEqualTo("/OS-REVOKE/events?since=2030-01-01T00:00:00Z");
    }

    private static Map<String, String> event(String name, String value) {
        return Map.of(
                name,
                value,
                "issued_before",
                "2030-01-01T00:00:01.000000Z",
                "revoked_at",
                "2030-01-01T00:00:01.000000Z");
    }

    private Identity identity(String token) {
        if (identities.validate(token) instanceof Validation.Valid(Identity identity)) {
            return identity;
        }
        throw new AssertionError(token + " is not valid");
    }

    private static Map<String, Object> with(String name, Object value) {
        Map<String, Object> token = new HashMap<>(TOKEN);
        token.put(name, value);
        return token;
    }
}
