package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.Planning.Plan;

import java.util.Map;

/** Tests parts that Heat replaces in an update, and keeps beside the stack. */
class ReplacedPartsTest extends StackReductionFixture {

    private static final Map<String, Object> TWICE = Map.of("gold", 20L);
    private static final Map<String, Object> ONCE = Map.of("gold", 10L);

    private Plan.Planned change(Map<String, ?> before, Map<String, ?> after) {
        return change(
                running(Map.of("gold", before), GOLD), Map.of("gold", after, "y", Map.of()), GOLD);
    }

    private void assertReplaced(Plan.Planned changed) {
        assertThat(amounts(changed)).isEqualTo(TWICE);
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(TWICE);
    }

    private void assertUpdated(Plan.Planned changed) {
        assertThat(amounts(changed)).isEqualTo(ONCE);
        assertThat(confirmed(changed)).isEmpty();
    }

    @Test
    void a_volume_with_another_zone_counts_twice() {
        assertReplaced(
                change(
                        kept(Map.of("availability_zone", "a")),
                        kept(Map.of("availability_zone", "b"))));
        assertReplaced(change(kept(Map.of()), kept(Map.of("image", "cirros"))));
    }

    @Test
    void a_volume_that_heat_replaces_and_deletes_counts_twice_until_then() {
        Plan.Planned changed =
                change(
                        volume("Delete", Map.of("availability_zone", "a")),
                        volume("Delete", Map.of("availability_zone", "b")));

        assertThat(amounts(changed)).isEqualTo(TWICE);
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(ONCE);
    }

    @Test
    void a_volume_with_another_name_size_or_deletion_policy_counts_once() {
        Plan.Planned changed =
                change(
                        kept(Map.of("name", "a", "size", 9)),
                        volume("Delete", Map.of("name", "b", "size", 10)));

        assertThat(amounts(changed)).isEqualTo(ONCE);
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(ONCE);
    }

    @Test
    void a_part_of_another_resource_type_counts_twice() {
        StackComponent other = StackComponent.volume("gold", "My::Volume", "gold", 10);

        assertReplaced(
                change(
                        running(Map.of("gold", kept(Map.of())), GOLD),
                        Map.of("gold", Map.of("type", "My::Volume")),
                        other));
    }

    @Test
    void a_property_from_a_changed_parameter_or_resource_replaces_the_part() {
        Map<String, Object> zone = kept(Map.of("availability_zone", Map.of("get_param", "zone")));
        Map<String, @Nullable Object> before =
                with(running(Map.of("gold", zone), GOLD), Map.of("zone", "a"));

        assertReplaced(changeTo(before, Map.of("zone", "b"), zone));
        assertUpdated(changeTo(before, Map.of("zone", "a", "other", "b"), zone));

        Map<String, Object> copy = kept(Map.of("source_volid", Map.of("get_resource", "y")));
        assertReplaced(change(copy, copy));
    }

    private Plan.Planned changeTo(
            Map<String, @Nullable Object> before, Map<String, ?> values, Map<String, ?> resource) {
        Map<String, @Nullable Object> request =
                with(wish(Map.of("gold", resource, "y", Map.of()), GOLD), values);
        return (Plan.Planned) planning.change(before, request, true);
    }

    @Test
    void a_replaced_volume_stays_over_several_unconfirmed_changes() {
        Map<String, Object> next = kept(Map.of("availability_zone", "b"));
        Plan.Planned failed = change(kept(Map.of()), next);
        Plan.Planned second = change(failed.parameters(), Map.of("gold", next), GOLD, SILVER);

        assertThat(amounts(confirmed(second).orElseThrow())).isEqualTo(at("gold", 20, "silver", 5));
    }

    @Test
    void an_update_policy_decides_whether_another_flavor_counts_twice() {
        assertThat(amounts(serverWith(Map.of("flavor", "m2")))).isEqualTo(at("nova", 2));
        assertThat(amounts(serverWith(Map.of("flavor", "m2", "flavor_update_policy", "RESIZE"))))
                .isEqualTo(at("nova", 2));
        assertThat(amounts(serverWith(Map.of("flavor", "m2", "flavor_update_policy", "REPLACE"))))
                .isEqualTo(at("nova", 4));
    }

    private Plan.Planned serverWith(Map<String, ?> properties) {
        Map<String, ?> before =
                Map.of(
                        "type",
                        WEB.type(),
                        "deletion_policy",
                        "Retain",
                        "properties",
                        Map.of("flavor", "m1"));
        Map<String, ?> after = Map.of("type", WEB.type(), "properties", properties);
        return change(running(Map.of("web", before), WEB), Map.of("web", after), WEB);
    }

    @Test
    void a_group_of_another_size_keeps_the_members() {
        StackComponent member = volume("tier.0", "gold", 10);
        Map<String, @Nullable Object> before = around(group(1, GOLD.type()), member);

        assertThat(amountsOf(before, around(group(2, GOLD.type()), member, SILVER)))
                .isEqualTo(at("gold", 10, "silver", 5));
        assertThat(amountsOf(before, around(group(1, "My::Disk"), member)))
                .isEqualTo(at("gold", 20));
    }

    @Test
    void a_changed_file_may_replace_what_a_template_keeps() {
        StackComponent member = volume("tier.data", "gold", 10);
        Map<String, ?> tier = Map.of("type", "tier.yaml");
        Map<String, @Nullable Object> before = around(tier, member);
        before.put("files", Map.of("tier.yaml", "resources: {data: {deletion_policy: Retain}}"));
        Map<String, @Nullable Object> other = around(tier, member, SILVER);

        assertThat(amountsOf(before, other)).isEqualTo(at("gold", 10, "silver", 5));
        other.put("files", Map.of("tier.yaml", "resources: {data: {type: x}}"));
        assertThat(amountsOf(before, other)).isEqualTo(at("gold", 20, "silver", 5));
    }
}
