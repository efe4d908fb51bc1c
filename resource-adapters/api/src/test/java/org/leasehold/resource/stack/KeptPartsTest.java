package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.Planning.Plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tests parts that leave a running stack, and that Heat keeps beside it. */
class KeptPartsTest extends StackReductionFixture {

    @Test
    void a_dropped_volume_that_heat_keeps_stays_on_the_calendar() {
        Plan.Planned changed = change(running(kept(), WEB, GOLD, SILVER), WEB);
        Plan.Planned confirmed = confirmed(changed).orElseThrow();

        assertThat(amounts(changed)).isEqualTo(at("nova", 2, "gold", 10, "silver", 5));
        assertThat(amounts(confirmed)).isEqualTo(at("nova", 2, "gold", 10));
        assertThat(planning.plan(confirmed.parameters())).isEqualTo(confirmed);
    }

    @Test
    void a_kept_volume_counts_beside_a_new_one() {
        Plan.Planned changed = change(running(kept(), GOLD), volume("new", "gold", 7));
        assertThat(amounts(changed)).isEqualTo(at("gold", 17));
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(at("gold", 17));

        Plan.Planned smaller = confirmed(change(changed.parameters(), WEB)).orElseThrow();
        assertThat(amounts(smaller)).isEqualTo(at("nova", 2, "gold", 10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Delete", "delete", "Snapshot", "snapshot"})
    void a_dropped_volume_that_heat_deletes_is_freed(String policy) {
        Map<String, ?> deleted =
                Map.of("gold", Map.of("type", GOLD.type(), "deletion_policy", policy));

        assertFreed(change(running(deleted, WEB, GOLD), WEB));
    }

    @Test
    void every_other_deletion_policy_may_keep_a_part() {
        for (Object policy : List.of("retain", Map.of("get_param", "policy"), "unheard of")) {
            Map<String, ?> kept =
                    Map.of("gold", Map.of("type", GOLD.type(), "deletion_policy", policy));
            assertKept(change(running(kept, WEB, GOLD), WEB));
        }
    }

    @Test
    void an_end_policy_in_the_metadata_decides_what_heat_keeps() {
        Map<String, ?> keep = Map.of("leasehold", Map.of("on_end", "keep"));
        Map<String, ?> delete = Map.of("leasehold", Map.of("on_end", "delete"));

        Map<String, ?> resource = Map.of("type", GOLD.type(), "metadata", keep);
        assertKept(change(running(Map.of("gold", resource), WEB, GOLD), WEB));
        Map<String, ?> other =
                Map.of("type", GOLD.type(), "metadata", delete, "deletion_policy", "Retain");
        assertFreed(change(running(Map.of("gold", other), WEB, GOLD), WEB));
    }

    @Test
    void a_part_of_a_nested_template_stays_if_a_file_keeps_anything() {
        StackComponent nested = volume("tier.data", "gold", 10);
        Map<String, @Nullable Object> before = new HashMap<>(running(WEB, nested));
        Map<String, ?> tier = Map.of("type", "tier.yaml");
        before.put("template", Map.of("resources", Map.of("web", Map.of(), "tier", tier)));
        before.put("files", Map.of("script.sh", "#!/bin/sh", "tier.yaml", "resources: {d: {}}"));
        assertFreed(change(before, WEB));

        before.put(
                "files", Map.of("tier.yaml", "resources: {d: {type: x, deletion_policy: Retain}}"));
        assertKept(change(before, WEB));
    }

    @Test
    void a_kept_server_in_another_zone_stays_where_it_was() {
        Map<String, ?> kept =
                Map.of("web", Map.of("type", WEB.type(), "deletion_policy", "Retain"));
        Plan.Planned moved = change(running(kept, WEB, GOLD), server("web", "east", 2));

        assertThat(amounts(confirmed(moved).orElseThrow())).isEqualTo(at("nova", 2, "east", 2));
    }

    @Test
    void a_kept_volume_of_another_type_or_size_is_not_replaced() {
        Plan.Planned changed = change(running(kept(), GOLD), volume("gold", "silver", 4));

        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(at("silver", 4));
    }

    /**
     * Heat may have completed or begun the first update: the request cannot distinguish that from a
     * failure.
     */
    @Test
    void a_volume_that_comes_back_before_a_confirmation_counts_twice() {
        Plan.Planned dropped = change(running(kept(), WEB, GOLD), WEB);
        Plan.Planned restored = change(dropped.parameters(), kept(), WEB, GOLD);

        assertThat(amounts(restored)).isEqualTo(at("nova", 2, "gold", 20));
        assertThat(amounts(confirmed(restored).orElseThrow())).isEqualTo(at("nova", 2, "gold", 20));
    }

    @Test
    void a_template_with_the_volume_again_counts_both_after_a_confirmation() {
        Plan.Planned dropped = confirmed(change(running(kept(), WEB, GOLD), WEB)).orElseThrow();

        assertThat(amounts(change(dropped.parameters(), kept(), WEB, GOLD)))
                .isEqualTo(at("nova", 2, "gold", 20));
    }

    @Test
    void a_dropped_volume_stays_over_several_unconfirmed_changes() {
        Plan.Planned first = change(running(kept(), WEB, GOLD, SILVER), WEB, SILVER);
        Plan.Planned second = change(first.parameters(), WEB);

        assertThat(amounts(confirmed(second).orElseThrow())).isEqualTo(at("nova", 2, "gold", 10));
    }

    /** If the first update fails, Heat still obeys the policy that it has stored. */
    @Test
    void a_part_that_kept_since_the_last_confirmation_keeps() {
        Map<String, ?> deleted = Map.of("gold", volume("Delete", Map.of()));
        Plan.Planned weaker = change(running(kept(), WEB, GOLD), deleted, WEB, GOLD);
        Plan.Planned renamed =
                (Plan.Planned)
                        planning.change(weaker.parameters(), Map.of("on_end", "suspend"), true);
        Plan.Planned later = change(renamed.parameters(), deleted, WEB, GOLD, SILVER);

        assertKept(change(weaker.parameters(), WEB));
        assertKept(change(later.parameters(), WEB));
        assertFreed(change(confirmed(weaker).orElseThrow().parameters(), WEB));
        assertThat(amounts(weaker)).isEqualTo(at("nova", 2, "gold", 10));
        assertThat(confirmed(confirmed(weaker).orElseThrow())).isEmpty();
    }

    @Test
    void a_change_in_progress_survives_storage() {
        Plan.Planned changed = change(running(kept(), WEB, GOLD, SILVER), WEB);
        Plan.Planned weaker =
                change(running(kept(), GOLD), Map.of("gold", volume("Delete", Map.of())), GOLD);

        assertThat(planning.plan(changed.parameters())).isEqualTo(changed);
        assertThat(planning.plan(weaker.parameters())).isEqualTo(weaker);
    }

    /** An earlier version stored what it promised, but not what the cloud keeps of it. */
    @Test
    void a_promise_of_an_earlier_version_stays_until_the_end() {
        Map<String, @Nullable Object> stack = new HashMap<>();
        stack.put("name", "");
        stack.put("parts", List.of(WEB.attributes()));
        stack.put("promised", List.of(WEB.need().attributes(), GOLD.need().attributes()));
        Map<String, @Nullable Object> old = new HashMap<>(running(WEB));
        old.put("stack", stack);

        assertThat(amounts((Plan.Planned) planning.plan(old))).isEqualTo(at("nova", 2, "gold", 10));
        assertThat(planning.planConfirmed(old)).isEmpty();
        Plan.Planned shrunk = change(old, server("web", "nova", 1));
        assertThat(amounts(confirmed(shrunk).orElseThrow())).isEqualTo(at("nova", 1, "gold", 10));
        Plan.Planned grown = change(old, WEB, SILVER);
        assertThat(amounts(grown)).isEqualTo(at("nova", 2, "gold", 10, "silver", 5));
    }

    @Test
    void the_previous_version_holds_what_heat_keeps_too() {
        Plan.Planned changed = change(running(kept(), WEB, GOLD, SILVER), WEB);
        Plan.Planned confirmed = confirmed(changed).orElseThrow();
        Plan.Planned grown = change(confirmed.parameters(), WEB, SILVER);

        for (Plan.Planned each : List.of(changed, confirmed, grown)) {
            Map<?, ?> stack = (Map<?, ?>) each.parameters().get("stack");
            Map<String, @Nullable Object> known = new HashMap<>(each.parameters());
            known.put(
                    "stack",
                    Map.of(
                            "name",
                            "",
                            "parts",
                            stack.get("parts"),
                            "promised",
                            stack.get("promised")));
            assertThat(amounts((Plan.Planned) planning.plan(known))).isEqualTo(amounts(each));
        }
    }

    private static Map<String, ?> kept() {
        return Map.of("gold", Map.of("type", GOLD.type(), "deletion_policy", "Retain"));
    }

    private void assertKept(Plan.Planned changed) {
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(at("nova", 2, "gold", 10));
    }

    private void assertFreed(Plan.Planned changed) {
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(at("nova", 2));
    }
}
