package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.Planning.Plan;

import java.util.List;
import java.util.Map;

/** Tests parts whose own text stays, and that Heat replaces because of what they refer to. */
class ReplacedByReferenceTest extends StackReductionFixture {

    private static final Map<String, Object> TWICE = Map.of("gold", 20L);
    private static final Map<String, Object> ONCE = Map.of("gold", 10L);

    private void assertReplaced(Plan.Planned changed) {
        assertThat(amounts(changed)).isEqualTo(TWICE);
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(TWICE);
    }

    @Test
    void a_change_behind_a_reference_to_another_resource_replaces_the_part() {
        Map<String, Object> copy = kept(Map.of("source_volid", Map.of("get_resource", "base")));
        Map<String, ?> base =
                volume("Delete", Map.of("snapshot_id", Map.of("get_param", "snapshot")));
        Map<String, ?> both = Map.of("gold", copy, "base", base);

        assertReplaced(
                changed(
                        with(wish(both, GOLD), Map.of("snapshot", "a")),
                        with(wish(both, GOLD), Map.of("snapshot", "b"))));
    }

    @Test
    void a_reference_to_a_resource_that_heat_only_updates_replaces_nothing() {
        Map<String, Object> byId = kept(Map.of("source_volid", Map.of("get_resource", "base")));
        Map<String, Object> byValue =
                kept(Map.of("source_volid", Map.of("get_attr", List.of("base", "size"))));

        for (Map<String, Object> copy : List.of(byId, byValue)) {
            Map<String, @Nullable Object> before =
                    running(
                            Map.of("gold", copy, "base", volume("Delete", Map.of("size", 1))),
                            GOLD);
            Plan.Planned changed =
                    change(
                            before,
                            Map.of("gold", copy, "base", volume("Delete", Map.of("size", 2))),
                            GOLD);
            assertThat(amounts(changed)).isEqualTo(copy.equals(byId) ? ONCE : TWICE);
        }
    }

    @Test
    void a_changed_condition_replaces_what_depends_on_it() {
        Map<String, Object> zone =
                kept(Map.of("availability_zone", Map.of("if", List.of("prod", "a", "b"))));

        assertReplaced(changed(withCondition(zone, "x"), withCondition(zone, "y")));
        Map<String, Object> stage = Map.of("get_param", "stage");
        assertReplaced(
                changed(
                        with(withCondition(zone, stage), Map.of("stage", "test")),
                        with(withCondition(zone, stage), Map.of("stage", "prod"))));
    }

    private static Map<String, @Nullable Object> withCondition(Map<String, ?> gold, Object stage) {
        Map<String, @Nullable Object> wish = wish(Map.of(), GOLD);
        wish.put(
                "template",
                Map.of(
                        "conditions",
                        Map.of("prod", Map.of("equals", List.of(stage, "prod"))),
                        "resources",
                        Map.of("gold", gold)));
        return wish;
    }

    @Test
    void a_changed_mapping_of_cloudformation_replaces_what_looks_it_up() {
        assertReplaced(changed(withMapping("a"), withMapping("b")));
    }

    private static Map<String, @Nullable Object> withMapping(String zone) {
        Map<String, ?> found = Map.of("Fn::FindInMap", List.of("Zones", "all", "zone"));
        Map<String, ?> gold =
                Map.of(
                        "Type",
                        GOLD.type(),
                        "DeletionPolicy",
                        "Retain",
                        "Properties",
                        Map.of("availability_zone", found));
        Map<String, @Nullable Object> wish = wish(Map.of(), GOLD);
        wish.put(
                "template",
                Map.of(
                        "Mappings",
                        Map.of("Zones", Map.of("all", Map.of("zone", zone))),
                        "Resources",
                        Map.of("gold", gold)));
        return wish;
    }

    @Test
    void a_type_that_the_environment_maps_to_another_file_is_replaced() {
        StackComponent member = volume("tier.data", "gold", 10);
        Map<String, ?> tier = Map.of("type", "My::Tier", "deletion_policy", "Retain");

        for (String name : List.of("My::Tier", "My::*")) {
            assertThat(
                            amountsOf(
                                    mapped(around(tier, member), name, "a.yaml"),
                                    mapped(around(tier, member), name, "b.yaml")))
                    .isEqualTo(TWICE);
        }
        assertThat(
                        amountsOf(
                                mapped(around(group(1, "My::Disk"), member), "My::*", "a.yaml"),
                                mapped(around(group(1, "My::Disk"), member), "My::*", "b.yaml")))
                .isEqualTo(TWICE);
    }

    @Test
    void a_default_for_nested_templates_may_replace_what_they_keep() {
        StackComponent member = volume("tier.data", "gold", 10);
        Map<String, ?> tier = Map.of("type", "tier.yaml", "deletion_policy", "Retain");
        Map<String, @Nullable Object> before = around(tier, member);
        Map<String, @Nullable Object> after = around(tier, member);
        before.put("environment", Map.of("parameter_defaults", Map.of("zone", "a")));
        after.put("environment", Map.of("parameter_defaults", Map.of("zone", "b")));

        assertThat(amountsOf(before, after)).isEqualTo(TWICE);
    }

    @Test
    void an_output_of_a_template_whose_file_uses_a_changed_file_replaces_the_part() {
        Map<String, Object> copy =
                kept(Map.of("source_volid", Map.of("get_attr", List.of("tier", "volume"))));
        Map<String, ?> both = Map.of("gold", copy, "tier", Map.of("type", "a.yaml"));

        assertReplaced(changed(withFile(wish(both, GOLD), "x"), withFile(wish(both, GOLD), "y")));
    }

    private static Map<String, @Nullable Object> withFile(
            Map<String, @Nullable Object> wish, String image) {
        String outer = "resources: {b: {type: b.yaml}}";
        String inner = "resources: {c: {type: x, properties: {image: %s}}}".formatted(image);
        wish.put("files", Map.of("a.yaml", outer, "b.yaml", inner));
        return wish;
    }

    private static Map<String, @Nullable Object> mapped(
            Map<String, @Nullable Object> wish, String type, String file) {
        wish.put("environment", Map.of("resource_registry", Map.of(type, file)));
        return wish;
    }
}
