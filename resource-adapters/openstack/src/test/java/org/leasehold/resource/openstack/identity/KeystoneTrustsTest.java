package org.leasehold.resource.openstack.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.identity.Trusts.Entrusting;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.SettableClock;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;

class KeystoneTrustsTest {

    private static final UserId USER = new UserId("u1");
    private static final ProjectId PROJECT = new ProjectId("p1");
    private static final String TOKEN = "theirs";

    private final SettableClock clock = new SettableClock();
    private final FakeOpenStack cloud = new FakeOpenStack(clock);
    private final KeystoneTrusts trusts =
            new KeystoneTrusts(CloudSettings.of(cloud.settings()), clock);

    @BeforeEach
    void logIn() {
        cloud.token(TOKEN, Map.of("id", USER.value()));
    }

    @AfterEach
    void close() {
        trusts.close();
        cloud.close();
    }

    @Test
    void a_trust_has_only_the_member_role_in_one_project() {
        Entrusting entrusting = trusts.createTrust(USER, PROJECT, TOKEN, false);

        assertThat(entrusting).isEqualTo(new Entrusting.Entrusted(new TrustId("trust-1")));
        JsonNode trust = cloud.asked("identity").getFirst().body().path("trust");
        assertThat(trust.path("trustor_user_id").asString()).isEqualTo("u1");
        assertThat(trust.path("trustee_user_id").asString()).isEqualTo("u-engine");
        assertThat(trust.path("project_id").asString()).isEqualTo("p1");
        assertThat(trust.path("impersonation").asBoolean()).isTrue();
        assertThat(trust.path("roles").toString()).isEqualTo("[{\"name\":\"member\"}]");
        assertThat(trust.has("allow_redelegation")).isFalse();
    }

    @Test
    void a_redelegable_trust_has_implied_roles_and_one_redelegation() {
        trusts.createTrust(USER, PROJECT, TOKEN, true);

        JsonNode trust = cloud.asked("identity").getFirst().body().path("trust");
        assertThat(trust.path("roles").valueStream().map(role -> role.path("name").asString()))
                .containsExactly("member", "reader");
        assertThat(trust.path("allow_redelegation").asBoolean()).isTrue();
        assertThat(trust.path("redelegation_count").asInt()).isEqualTo(1);
    }

    @Test
    void a_trust_is_denied_for_the_token_of_another_user() {
        assertThat(trusts.createTrust(new UserId("u2"), PROJECT, TOKEN, false))
                .isInstanceOfSatisfying(
                        Entrusting.Failed.class,
                        failed -> assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.DENIED));
        assertThat(cloud.trusts()).isEmpty();
    }

    @Test
    void the_revocation_of_a_trust_is_idempotent() {
        cloud.trust("trust-7", "p1");

        assertThat(trusts.revoke(new TrustId("trust-7"))).isEmpty();
        assertThat(cloud.trusts()).isEmpty();
        assertThat(trusts.revoke(new TrustId("trust-7"))).isEmpty();
    }

    @Test
    void the_list_of_trusts_names_id_user_and_project() {
        assertThat(trusts.list()).isEqualTo(new Given.Known(List.of()));
        cloud.trust("trust-7", "p1");
        trusts.createTrust(USER, new ProjectId("p2"), TOKEN, false);

        assertThat(trusts.list())
                .isEqualTo(
                        new Given.Known(
                                List.of(
                                        new Trust(
                                                new TrustId("trust-2"), USER, new ProjectId("p2")),
                                        new Trust(
                                                new TrustId("trust-7"),
                                                new UserId("u-of-p1"),
                                                PROJECT))));
    }

    @Test
    void a_malformed_trust_makes_the_list_of_trusts_unknown() {
        cloud.trust("", "p1");

        assertThat(trusts.list()).isInstanceOf(Given.Unknown.class);
    }

    @Test
    void a_keystone_error_fails_every_operation_on_trusts() {
        cloud.keystone(_ -> Said.nothing(503));

        assertThat(trusts.revoke(new TrustId("trust-7")))
                .hasValueSatisfying(
                        fault -> assertThat(fault.kind()).isEqualTo(Fault.Kind.RETRYABLE));
        assertThat(trusts.createTrust(USER, PROJECT, TOKEN, false))
                .isInstanceOf(Entrusting.Failed.class);
        assertThat(trusts.list()).isInstanceOf(Given.Unknown.class);
    }
}
