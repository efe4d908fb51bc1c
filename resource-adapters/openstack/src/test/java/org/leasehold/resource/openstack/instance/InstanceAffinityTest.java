package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Survey;
import org.leasehold.vocabulary.TrustId;

import java.util.List;
import java.util.Map;

/** The server groups of reservations with affinity. */
class InstanceAffinityTest extends OpenStackInstancesFixture {

    @Test
    void a_server_group_is_created_with_the_trust_and_deleted_without_it() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        String id = assignment.reservation().toString();

        assertThat(acting.onStart(assignment)).isInstanceOf(Result.Done.class);
        Result again = acting.onStart(assignment);

        assertThat(nova.serverGroups())
                .singleElement()
                .satisfies(
                        group -> {
                            assertThat(group.name()).isEqualTo("reservation:" + id);
                            assertThat(group.policy()).isEqualTo("anti-affinity");
                            assertThat(group.project()).isEqualTo(PROJECT.value());
                            assertThat(again)
                                    .isEqualTo(
                                            new Result.Done(
                                                    Map.of(
                                                            "aggregate_id",
                                                            nova.group(id).id,
                                                            "server_group_id",
                                                            group.id())));
                            assertThat(nova.flavor(id).extraSpecs)
                                    .containsEntry("affinity_id", group.id());
                            assertThat(nova.group(id).metadata)
                                    .containsEntry("affinity_id", group.id());
                        });
        nova.keystone().forgetTrusts();
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
        assertThat(nova.serverGroups()).isEmpty();
    }

    @Test
    void an_end_succeeds_without_the_server_group() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        acting.onStart(assignment);
        nova.forgetServerGroups();

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
        assertThat(acting.survey()).isEqualTo(new Survey.Seen(Map.of()));
    }

    @Test
    void an_adjustment_restores_a_removed_server_group() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        acting.onStart(assignment);
        nova.forgetServerGroups();

        assertThat(acting.onAdjust(assignment, List.of())).isInstanceOf(Result.Done.class);
        assertThat(nova.serverGroups())
                .singleElement()
                .satisfies(
                        group ->
                                assertThat(
                                                nova.flavor(assignment.reservation().toString())
                                                        .extraSpecs)
                                        .containsEntry("affinity_id", group.id()));
    }

    @Test
    void a_start_with_affinity_and_an_invalid_trust_is_denied() {
        Assignment assignment = apart(new TrustId("trust-that-was-deleted"));

        assertDenied(acting.onStart(assignment));

        assertThat(boots(assignment, PROJECT.value())).isFalse();
        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
    }

    @Test
    void a_start_with_affinity_is_denied_until_server_group_quota_is_free() {
        nova.keystone().trust("trust-1", PROJECT.value());
        nova.serverGroupQuota(0);
        Assignment assignment = apart(new TrustId("trust-1"));

        assertDenied(acting.onStart(assignment));
        nova.serverGroupQuota(1);
        assertThat(acting.onStart(assignment)).isInstanceOf(Result.Done.class);

        assertThat(nova.serverGroups()).hasSize(1);
        assertThat(boots(assignment, PROJECT.value())).isTrue();
    }

    @Test
    void an_adjustment_with_an_existing_server_group_needs_no_trust() {
        nova.keystone().trust("trust-1", PROJECT.value());
        Assignment assignment = apart(new TrustId("trust-1"));
        acting.onStart(assignment);
        nova.keystone().forgetTrusts();

        assertThat(acting.onAdjust(assignment, List.of())).isEqualTo(DONE);
    }

    private static void assertDenied(Result result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.DENIED);
                            assertThat(failed.fault().message())
                                    .startsWith(
                                            "The server group that the affinity asks for cannot be"
                                                    + " made: ");
                        });
    }
}
