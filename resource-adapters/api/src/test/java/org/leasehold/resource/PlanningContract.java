package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules for planning: pure, repeatable, and safe for any parameters. */
public abstract class PlanningContract extends PluginContractFixture {

    @Test
    void planning_the_normal_form_again_changes_nothing() {
        Plan.Planned planned = planned(complete());

        assertThat(planning().plan(planned.parameters())).isEqualTo(planned);
    }

    @Test
    void a_kind_does_not_start_after_itself() {
        assertThat(planning().startsAfter())
                .doesNotContain(plugin().kind())
                .isEqualTo(planning().startsAfter());
    }

    @Test
    void the_same_parameters_always_make_the_same_plan() {
        assertThat(planning().plan(complete())).isEqualTo(planning().plan(complete()));
    }

    @Test
    void a_plan_holds_json_values_only() {
        assertJson(planned(complete()).parameters());
    }

    @Test
    void the_completion_adds_exactly_the_declared_parameters() {
        Set<String> added =
                plugin().requestCompleter().map(RequestCompleter::addedParameters).orElse(Set.of());
        Map<String, @Nullable Object> own = new HashMap<>(complete());
        own.keySet().removeAll(added);

        assertThat(own).isEqualTo(parameters());
        assertThat(complete().keySet()).containsAll(added);
        assertThat(planned(complete()).parameters().keySet()).containsAll(added);
    }

    @Test
    void planning_does_not_change_the_given_parameters() {
        Map<String, @Nullable Object> given = new HashMap<>(complete());

        planning().plan(given);
        planning().change(given, changes(), false);

        assertThat(given).isEqualTo(complete());
    }

    @Test
    void planning_answers_empty_parameters_without_an_exception() {
        assertThat(planning().plan(Map.of())).isNotNull();
    }

    @Test
    void planning_answers_any_json_value_without_an_exception() {
        for (String key : planned(complete()).parameters().keySet()) {
            for (@Nullable Object odd : oddValues()) {
                Map<String, @Nullable Object> given = new HashMap<>(complete());
                given.put(key, odd);
                Plan plan = planning().plan(given);
                assertThat(plan).as("%s = %s", key, odd).isNotNull();
                if (plan instanceof Plan.Planned planned) {
                    assertThat(planning().plan(planned.parameters()))
                            .as("%s = %s, planned again", key, odd)
                            .isEqualTo(planned);
                }
            }
        }
    }

    @Test
    void an_empty_change_keeps_the_plan() {
        Plan.Planned planned = planned(complete());

        assertThat(planning().change(planned.parameters(), Map.of(), false)).isEqualTo(planned);
        assertThat(planning().change(planned.parameters(), Map.of(), true)).isEqualTo(planned);
    }

    @Test
    void a_change_results_in_the_normal_form() {
        Map<String, @Nullable Object> before = planned(complete()).parameters();

        Plan changed = planning().change(before, changes(), false);

        assertThat(changed).isInstanceOf(Plan.Planned.class);
        Map<String, @Nullable Object> after = ((Plan.Planned) changed).parameters();
        assertThat(after).isNotEqualTo(before);
        assertThat(planning().plan(after)).isEqualTo(changed);
    }

    @Test
    void a_change_is_idempotent() {
        Map<String, @Nullable Object> before = planned(complete()).parameters();
        Plan once = planning().change(before, changes(), false);

        Plan twice = planning().change(((Plan.Planned) once).parameters(), changes(), false);

        assertThat(twice).isEqualTo(once);
    }

    @Test
    void a_reservation_is_rendered_as_json_in_a_fixed_order() {
        ReservationWish wish =
                new ReservationWish(
                        reservation(), plugin().kind(), planned(complete()).parameters());

        Map<String, @Nullable Object> rendered = planning().render(wish);

        assertJson(rendered);
        assertThat(new ArrayList<>(planning().render(wish).entrySet()))
                .isEqualTo(new ArrayList<>(rendered.entrySet()));
    }

    private static List<@Nullable Object> oddValues() {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(null);
        values.addAll(
                List.of(
                        true,
                        "",
                        "no such thing",
                        "\uD83D\uDE80",
                        -1,
                        0,
                        Integer.MAX_VALUE,
                        Long.MIN_VALUE,
                        new BigDecimal("1e400"),
                        new BigDecimal("1.5"),
                        List.of(),
                        List.of(List.of("and")),
                        Map.of(),
                        Map.of("key", List.of(1))));
        return values;
    }
}
