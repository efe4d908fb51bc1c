package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.Planning.Plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tests changes of autoscaling groups: Heat gives the members other names in each preview. */
class AutoscalingMembersTest extends StackReductionFixture {

    private static final StackComponent FIRST = volume("tier.k3fa", "gold", 10);
    private static final StackComponent SECOND = volume("tier.p9xb", "gold", 10);
    private static final StackComponent THIRD = volume("tier.q7zc", "gold", 10);

    private static Map<String, Object> autoscaling(String policy, int size) {
        return autoscaling(policy, Map.of("desired_capacity", size));
    }

    private static Map<String, Object> autoscaling(String policy, Map<String, ?> properties) {
        return Map.of(
                "type",
                "OS::Heat::AutoScalingGroup",
                "deletion_policy",
                policy,
                "properties",
                properties);
    }

    @Test
    void a_group_with_other_member_names_counts_once() {
        for (String policy : List.of("Delete", "Retain")) {
            Map<String, Object> group = autoscaling(policy, 1);
            Plan.Planned changed = changed(around(group, FIRST), around(group, SECOND));

            assertThat(amounts(changed)).isEqualTo(at("gold", 10));
            assertThat(confirmed(changed)).isEmpty();
        }
    }

    @Test
    void a_group_of_another_size_keeps_the_members_in_their_order() {
        Map<String, @Nullable Object> one = around(autoscaling("Delete", 1), FIRST);
        Map<String, @Nullable Object> two = around(autoscaling("Delete", 2), SECOND, THIRD);

        assertThat(amountsOf(one, two)).isEqualTo(at("gold", 20));
        Plan.Planned smaller = changed(two, one);
        assertThat(amounts(smaller)).isEqualTo(at("gold", 20));
        assertThat(amounts(confirmed(smaller).orElseThrow())).isEqualTo(at("gold", 10));
    }

    @Test
    void the_parts_of_a_member_stay_together() {
        Map<String, Object> group = autoscaling("Delete", 2);

        assertThat(
                        amountsOf(
                                around(
                                        group,
                                        volume("tier-k3fa.data", "gold", 10),
                                        volume("tier-k3fa.logs", "gold", 1),
                                        volume("tier-p9xb.data", "gold", 10),
                                        volume("tier-p9xb.logs", "gold", 1)),
                                around(
                                        group,
                                        volume("tier-q7zc.logs", "gold", 1),
                                        volume("tier-q7zc.data", "gold", 10),
                                        volume("tier-m2nd.data", "gold", 10),
                                        volume("tier-m2nd.logs", "gold", 1))))
                .isEqualTo(at("gold", 22));
    }

    @Test
    void a_group_with_other_properties_counts_twice() {
        Map<String, ?> small = Map.of("resource", Map.of("type", "OS::Cinder::Volume"));
        Map<String, ?> other = Map.of("resource", Map.of("type", "My::Volume"));

        assertThat(
                        amountsOf(
                                around(autoscaling("Delete", small), FIRST),
                                around(autoscaling("Delete", other), SECOND)))
                .isEqualTo(at("gold", 20));
    }

    @Test
    void a_member_whose_weaker_policy_is_not_confirmed_stays() {
        Map<String, @Nullable Object> kept = around(autoscaling("Retain", 1), FIRST);
        Plan.Planned weaker = changed(kept, around(autoscaling("Delete", 1), SECOND));
        Plan.Planned later =
                (Plan.Planned)
                        planning.change(
                                weaker.parameters(), around(autoscaling("Delete", 1), THIRD), true);

        assertThat(amounts(confirmed(change(later.parameters(), SILVER)).orElseThrow()))
                .isEqualTo(at("gold", 10, "silver", 5));
    }

    @Test
    void other_parts_keep_their_names() {
        Map<String, @Nullable Object> before = new HashMap<>(around(autoscaling("Delete", 1)));
        List<StackComponent> parts = List.of(WEB, FIRST, volume("tiers.k3fa", "gold", 1));

        assertThat(AutoscalingMembers.numbered(parts, before))
                .extracting(StackComponent::name)
                .containsExactly("web", "tier.0", "tiers.k3fa");
    }
}
