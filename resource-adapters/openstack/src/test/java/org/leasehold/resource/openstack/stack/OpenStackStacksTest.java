package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;

import java.util.HashMap;
import java.util.Map;

/** The starts of stacks. */
class OpenStackStacksTest extends OpenStackStacksFixture {

    @Test
    void a_start_creates_the_stack_with_the_trust_and_returns_resource_ids() {
        Result started = acting.onStart(of(wish(Map.of("word", WORD)), TRUST));

        Stack made = heat.stacks().getFirst();
        assertThat(made.project).isEqualTo("p1");
        assertThat(made.name).isEqualTo("leasehold-" + reservation);
        assertThat(started)
                .isEqualTo(
                        new Result.Done(
                                Map.of(
                                        "stack_id",
                                        made.id,
                                        "resources",
                                        Map.of("word", "word-id"))));
        assertThat(heat.changes()).containsExactly("POST stacks as p1");
    }

    @Test
    void a_start_is_underway_until_heat_finishes_the_stack() {
        heat.takeLonger(8_000);
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);

        assertFailed(acting.onStart(assignment), Fault.Kind.UNDERWAY, "CREATE_IN_PROGRESS");
        heat.stacks().getFirst().hurry();
        assertDone(acting.onStart(assignment));

        assertThat(heat.changes()).containsExactly("POST stacks as p1");
    }

    @Test
    void a_server_without_a_zone_is_created_in_the_reserved_zone() {
        Map<String, @Nullable Object> wish =
                new HashMap<>(
                        wish(
                                Map.of(
                                        "web",
                                        Map.of(
                                                "type",
                                                "OS::Nova::Server",
                                                "properties",
                                                Map.of("flavor", "m1.nano")))));
        wish.putAll(((Completion.Complete) complete(wish, ASKER)).parameters());

        assertDone(acting.onStart(of(wish, TRUST)));

        assertThat(
                        heat.templates()
                                .getLast()
                                .at("/resources/web/properties/availability_zone")
                                .asString())
                .isEqualTo("nova");
    }

    @Test
    void a_retain_policy_is_set_only_after_the_stack_is_created() {
        Map<String, Object> kept =
                Map.of(
                        "type",
                        "OS::Heat::RandomString",
                        "metadata",
                        Map.of("leasehold", Map.of("on_end", "keep")));
        Assignment assignment = of(wish(Map.of("word", kept)), TRUST);

        assertDone(acting.onStart(assignment));

        assertThat(heat.changes())
                .containsExactly("POST stacks as p1", "PUT stacks/leasehold- as p1");
        assertThat(heat.templates())
                .extracting(stored -> stored.at("/resources/word/deletion_policy").asString("none"))
                .containsExactly("none", "Retain");
        assertDone(acting.onStart(assignment));
        assertThat(heat.changes()).hasSize(2);
    }

    @Test
    void a_start_without_a_trust_is_denied_and_creates_no_stack() {
        assertFailed(acting.onStart(of(wish(Map.of("word", WORD)), null)), Fault.Kind.DENIED, "");
        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void a_failed_stack_is_deleted_and_created_again_by_the_retry() {
        heat.failNext("No valid host was found");
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);

        assertFailed(acting.onStart(assignment), Fault.Kind.RETRYABLE, "No valid host was found");
        assertThat(heat.stacks().getFirst().status).isEqualTo("DELETE_IN_PROGRESS");
        assertDone(acting.onStart(assignment));
        assertThat(heat.changes())
                .containsExactly(
                        "POST stacks as p1", "DELETE stacks/leasehold- as p1", "POST stacks as p1");
    }

    @Test
    void a_start_waits_until_heat_has_freed_the_name_of_a_deleted_stack() {
        heat.refuseNames(3);

        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        assertThat(heat.stacks()).hasSize(1);
        assertThat(heat.changes()).hasSize(4).containsOnly("POST stacks as p1");
    }

    @Test
    void a_start_updates_an_existing_stack_of_the_same_name() {
        heat.stack("leasehold-" + reservation, "p1", Map.of("much", "m OS::Nova::Server"));

        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word");
        assertThat(heat.changes()).containsExactly("PUT stacks/leasehold- as p1");
    }

    @Test
    void a_start_does_not_change_a_stack_after_a_failed_update() {
        Stack existingStack = heat.stack("mine", "p1", Map.of());
        existingStack.status = "UPDATE_FAILED";

        assertDone(acting.onStart(of(existing(existingStack, "keep"), TRUST)));

        assertThat(heat.changes()).isEmpty();
    }

    @Test
    void a_pool_is_enrolled_with_the_number_of_free_addresses() {
        assertThat(((Discovery.Found) acting.discover(FakeHeat.NETWORK)).attributes())
                .isEqualTo(Map.of("network_id", FakeHeat.NETWORK, "FLOATING_IP", 97L));
    }
}
