package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.Planning.Plan;

import java.util.Map;

/** Tests the needs of a running stack that shrinks: before and after the cloud's confirmation. */
class StackReductionTest extends StackReductionFixture {

    @Test
    void a_stack_holds_both_needs_until_the_cloud_confirms_the_change() {
        Plan.Planned changed = change(running(WEB, GOLD), server("web", "nova", 1), SILVER);

        assertThat(amounts(changed)).isEqualTo(at("nova", 2, "gold", 10, "silver", 5));
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(at("nova", 1, "silver", 5));
    }

    @Test
    void the_last_part_of_a_zone_a_type_and_a_network_is_freed() {
        Plan.Planned changed = change(running(WEB, FAR, GOLD, SILVER, ADDRESS), WEB, SILVER);

        assertThat(amounts(changed))
                .isEqualTo(at("nova", 2, "east", 2, "gold", 10, "silver", 5, "net-1", 1));
        assertThat(amounts(confirmed(changed).orElseThrow())).isEqualTo(at("nova", 2, "silver", 5));
    }

    @Test
    void a_confirmed_stack_has_nothing_more_to_free() {
        Plan.Planned confirmed = confirmed(change(running(WEB, GOLD), WEB)).orElseThrow();

        assertThat(confirmed(confirmed)).isEmpty();
        assertThat(planning.plan(confirmed.parameters())).isEqualTo(confirmed);
        assertThat(planning.planConfirmed(running(WEB, GOLD))).isEmpty();
    }

    @Test
    void a_grown_stack_has_nothing_to_free() {
        assertThat(confirmed(change(running(WEB), WEB, GOLD))).isEmpty();
    }

    @Test
    void several_changes_are_confirmed_together() {
        Plan.Planned first = change(running(WEB, GOLD, SILVER), WEB, SILVER);
        Plan.Planned second = change(first.parameters(), WEB);

        assertThat(amounts(second)).isEqualTo(at("nova", 2, "gold", 10, "silver", 5));
        assertThat(amounts(confirmed(second).orElseThrow())).isEqualTo(at("nova", 2));
    }

    @Test
    void a_swapped_part_holds_both_needs_until_the_confirmation() {
        Plan.Planned swapped = change(running(volume("a", "gold", 20)), volume("b", "gold", 20));
        assertThat(amounts(swapped)).isEqualTo(at("gold", 40));
        assertThat(amounts(confirmed(swapped).orElseThrow())).isEqualTo(at("gold", 20));

        Plan.Planned again = change(swapped.parameters(), volume("c", "gold", 20));
        assertThat(amounts(again)).isEqualTo(at("gold", 60));
        assertThat(amounts(confirmed(again).orElseThrow())).isEqualTo(at("gold", 20));
    }

    @Test
    void a_part_that_grows_adds_only_what_it_grows() {
        StackComponent larger = volume("gold", "gold", 15);
        Plan.Planned grown = change(running(GOLD), larger);
        assertThat(amounts(grown)).isEqualTo(at("gold", 15));
        assertThat(confirmed(grown)).isEmpty();

        Plan.Planned one = change(running(GOLD, volume("other", "gold", 5)), larger);
        assertThat(amounts(one)).isEqualTo(at("gold", 20));
        assertThat(amounts(confirmed(one).orElseThrow())).isEqualTo(at("gold", 15));
    }

    @Test
    void a_new_end_action_keeps_the_needs_of_a_change_in_progress() {
        Plan.Planned shrinking = change(running(WEB, GOLD), WEB);
        Plan.Planned renamed =
                (Plan.Planned)
                        planning.change(shrinking.parameters(), Map.of("on_end", "suspend"), true);

        assertThat(amounts(renamed)).isEqualTo(at("nova", 2, "gold", 10));
        assertThat(amounts(confirmed(renamed).orElseThrow())).isEqualTo(at("nova", 2));
    }

    @Test
    void a_stack_that_loses_all_parts_keeps_a_claim_of_nothing() {
        Plan.Planned emptied = confirmed(change(running(GOLD, SILVER))).orElseThrow();

        assertThat(emptied.demands()).hasSize(1);
        assertThat(amounts(emptied).values()).containsExactly(0L);
        assertThat(confirmed(emptied)).isEmpty();

        assertThat(amounts(change(emptied.parameters(), WEB))).isEqualTo(at("nova", 2));
    }

    @Test
    void a_stack_without_servers_can_get_them_in_any_zone_again() {
        StackComponent anywhere = server("web", "", 2);

        Plan.Planned emptied = confirmed(change(running(anywhere))).orElseThrow();
        assertThat(amounts(change(emptied.parameters(), WEB))).isEqualTo(at("nova", 2));
        emptied = confirmed(change(running(WEB))).orElseThrow();
        assertThat(amounts(change(emptied.parameters(), anywhere))).isEqualTo(at("", 2));
        assertThat(amounts(change(emptied.parameters()))).isEqualTo(at("nova", 0));
    }
}
