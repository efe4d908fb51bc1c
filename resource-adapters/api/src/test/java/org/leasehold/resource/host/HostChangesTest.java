package org.leasehold.resource.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.Planning.Plan;

import java.util.Collections;
import java.util.Map;

/** Tests changes of the parameters of a reservation of hosts. */
class HostChangesTest extends HostPlanningFixture {

    @Test
    void a_change_affects_only_the_named_parameters() {
        Map<String, Object> current = normal(1, 2, "", GPU);

        Plan.Planned planned = planned(planning.change(current, Map.of("max", "3"), false));

        assertThat(planned.parameters()).isEqualTo(normal(1, 3, "", GPU));
        assertThat(planned.demand().requirement()).isEqualTo(IS_GPU);
    }

    @Test
    void a_change_ignores_parameters_that_cannot_change() {
        Map<String, Object> current = normal(1, 2, "", "");

        assertThat(
                        planned(
                                        planning.change(
                                                current,
                                                Map.of(
                                                        "before_end", "nonsense",
                                                        "selection", "spread",
                                                        "id", "x"),
                                                true))
                                .parameters())
                .isEqualTo(current);
    }

    @Test
    void a_change_is_checked_like_a_new_request() {
        Map<String, Object> current = normal(2, 2, "", "");

        assertThat(planning.change(current, Map.of("max", 1), false))
                .isEqualTo(
                        new Plan.Invalid(
                                "max",
                                "Invalid values for min/max of hosts. Max must be equal to or"
                                        + " larger than min."));
        assertThat(planning.change(current, Collections.singletonMap("min", null), true))
                .isEqualTo(new Plan.Invalid("min", "Missing parameter min"));
        assertThat(planning.change(current, Map.of("resource_properties", "gpu"), true))
                .isEqualTo(new Plan.Invalid("resource_properties", "Malformed requirements gpu"));
    }

    @Test
    void the_filter_of_a_pending_reservation_can_change() {
        assertThat(
                        planned(
                                        planning.change(
                                                normal(1, 2, "", GPU),
                                                Map.of("resource_properties", BIG),
                                                false))
                                .demand()
                                .requirement())
                .isEqualTo(IS_BIG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hypervisor_properties", "resource_properties"})
    void the_filter_of_a_running_reservation_cannot_change(String filter) {
        assertThat(planning.change(normal(1, 2, "", ""), Map.of(filter, GPU), true))
                .isEqualTo(
                        new Plan.Invalid(
                                filter,
                                "Cannot change "
                                        + filter
                                        + " of a reservation that has already started"));
    }

    @Test
    void the_filter_of_a_running_reservation_can_be_written_differently() {
        assertThat(
                        planning.change(
                                normal(1, 2, "", GPU),
                                Map.of(
                                        "max",
                                        4,
                                        "resource_properties",
                                        "[\"=\",\"$capabilities:gpu\",\"V100\"]"),
                                true))
                .isInstanceOf(Plan.Planned.class);
    }
}
