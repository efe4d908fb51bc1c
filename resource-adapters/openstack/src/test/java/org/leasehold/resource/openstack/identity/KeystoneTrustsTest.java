package org.leasehold.resource.openstack.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;
import org.leasehold.resource.identity.Trusts.Entrusting;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.SetClock;
import org.leasehold.resource.openstack.SmallCloud;
import org.leasehold.resource.openstack.SmallCloud.Said;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;

class KeystoneTrustsTest {

    private static final UserId USER = new UserId("u1");
    private static final ProjectId PROJECT = new ProjectId("p1");
    private static final String TOKEN = "theirs";

    private final SetClock clock = new SetClock();
    private final SmallCloud cloud = new SmallCloud(clock);
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
    void a_user_trusts_the_engine_with_no_more_than_a_members_role_in_one_project() {
        Entrusting entrusting = trusts.entrust(USER, PROJECT, TOKEN, false);

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
    void a_trust_that_is_to_be_passed_on_can_be_once_with_what_a_members_role_implies() {
        trusts.entrust(USER, PROJECT, TOKEN, true);

        JsonNode trust = cloud.asked("identity").getFirst().body().path("trust");
        assertThat(trust.path("roles").valueStream().map(role -> role.path("name").asString()))
                .containsExactly("member", "reader");
        assertThat(trust.path("allow_redelegation").asBoolean()).isTrue();
        assertThat(trust.path("redelegation_count").asInt()).isEqualTo(1);
    }

    @Test
    void whose_token_is_not_the_users_gets_none() {
        assertThat(trusts.entrust(new UserId("u2"), PROJECT, TOKEN, false))
                .isInstanceOfSatisfying(
                        Entrusting.Failed.class,
                        failed -> assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.DENIED));
        assertThat(cloud.trusts()).isEmpty();
    }

    @Test
    void a_trust_is_deleted_once_and_its_absence_is_as_good() {
        cloud.trust("trust-7", "p1");

        assertThat(trusts.revoke(new TrustId("trust-7"))).isEmpty();
        assertThat(cloud.trusts()).isEmpty();
        assertThat(trusts.revoke(new TrustId("trust-7"))).isEmpty();
    }

    @Test
    void the_engine_knows_who_trusts_it() {
        assertThat(trusts.given()).isEqualTo(new Given.Known(List.of()));
        cloud.trust("trust-7", "p1");
        trusts.entrust(USER, new ProjectId("p2"), TOKEN, false);

        assertThat(trusts.given())
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
    void what_makes_no_sense_is_no_list_of_trusts() {
        cloud.trust("", "p1");

        assertThat(trusts.given()).isInstanceOf(Given.Unknown.class);
    }

    @Test
    void a_keystone_that_is_out_of_order_is_told_of() {
        cloud.keystone(_ -> Said.nothing(503));

        assertThat(trusts.revoke(new TrustId("trust-7")))
                .hasValueSatisfying(
                        fault -> assertThat(fault.kind()).isEqualTo(Fault.Kind.RETRYABLE));
        assertThat(trusts.entrust(USER, PROJECT, TOKEN, false))
                .isInstanceOf(Entrusting.Failed.class);
        assertThat(trusts.given()).isInstanceOf(Given.Unknown.class);
    }
}
