package org.leasehold.resource.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Selection;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.vocabulary.ReservationId;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** Tests the plans of requests for hosts. */
class HostPlanningTest extends HostPlanningFixture {

    @Test
    void a_plain_request_is_planned_with_the_defaults() {
        assertThat(planning.plan(request()))
                .isEqualTo(
                        new Plan.Planned(
                                normal(1, 2, "", ""),
                                new Demand.Whole(
                                        ResourceKind.PHYSICAL_HOST,
                                        1,
                                        2,
                                        Requirement.none(),
                                        Selection.FIRST_FIT)));
    }

    @Test
    void a_host_must_meet_both_filters() {
        Plan.Planned planned =
                planned(
                        planning.plan(
                                with(
                                        "hypervisor_properties",
                                        BIG,
                                        with("resource_properties", GPU, request()))));

        assertThat(planned.demand().requirement())
                .isEqualTo(new Requirement.And(List.of(IS_BIG, IS_GPU)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hypervisor_properties", "resource_properties"})
    void either_filter_alone_is_the_requirement(String filter) {
        assertThat(planned(planning.plan(with(filter, GPU, request()))).demand().requirement())
                .isEqualTo(IS_GPU);
    }

    @Test
    void integers_may_be_written_as_text() {
        assertThat(planning.plan(with("min", "1", with("max", "2", request()))))
                .isEqualTo(planning.plan(request()));
    }

    @Test
    void unknown_parameters_are_ignored() {
        assertThat(planning.plan(with("colour", "red", request())))
                .isEqualTo(planning.plan(request()));
    }

    @Test
    void a_filter_given_as_a_list_is_read_like_the_text_of_that_list() {
        Plan.Planned planned =
                planned(
                        planning.plan(
                                with(
                                        "resource_properties",
                                        List.of("==", "$gpu", "V100"),
                                        request())));

        assertThat(planned.parameters())
                .containsEntry("resource_properties", "[\"==\",\"$gpu\",\"V100\"]");
        assertThat(planned.demand().requirement()).isEqualTo(IS_GPU);
    }

    @Test
    void a_null_filter_is_no_filter() {
        assertThat(planning.plan(with("resource_properties", null, request())))
                .isEqualTo(planning.plan(request()));
    }

    @Test
    void hosts_can_be_spread() {
        Demand demand = planned(planning.plan(with("selection", "spread", request()))).demand();
        assertThat(((Demand.Whole) demand).selection()).isEqualTo(Selection.SPREAD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "default", "snapshot"})
    void each_action_before_the_end_is_kept(String action) {
        assertThat(planned(planning.plan(with("before_end", action, request()))).parameters())
                .containsEntry("before_end", action);
    }

    @ParameterizedTest
    @MethodSource
    void invalid_parameters_get_the_messages_that_clients_expect(
            Map<String, Object> parameters, String field, String message) {
        assertThat(planning.plan(parameters)).isEqualTo(new Plan.Invalid(field, message));
    }

    static Stream<Object[]> invalid_parameters_get_the_messages_that_clients_expect() {
        String atLeastOne = "Malformed parameter min and max (must be greater than or equal to 1)";
        String range =
                "Invalid values for min/max of hosts. Max must be equal to or larger than min.";
        List<Object[]> cases = new ArrayList<>();
        for (String count : List.of("min", "max")) {
            cases.add(row(without(count), count, "Missing parameter " + count));
            cases.add(row(with(count, null, request()), count, "Missing parameter " + count));
            for (Object odd :
                    List.of(
                            "",
                            "one",
                            "01",
                            "+1",
                            " 1",
                            "1.0",
                            "1e1",
                            "9".repeat(5_000),
                            true,
                            List.of(1),
                            Map.of(),
                            new BigDecimal("1.0"),
                            new BigDecimal("1e999999999"))) {
                cases.add(row(with(count, odd, request()), count, "Malformed parameter " + count));
            }
            for (Object huge :
                    List.of(10_001, Long.MAX_VALUE, "99999999999", BigInteger.TEN.pow(30))) {
                cases.add(
                        row(
                                with(count, huge, request()),
                                count,
                                "Malformed parameter "
                                        + count
                                        + " (must be less than or equal to 10000)"));
            }
            cases.add(row(with(count, 0, request()), count, atLeastOne));
            cases.add(row(with(count, "-1", request()), count, atLeastOne));
            cases.add(
                    row(with(count, Long.MIN_VALUE, with("max", 2, request())), count, atLeastOne));
        }
        cases.add(row(with("min", 3, request()), "max", range));
        for (String filter : List.of("hypervisor_properties", "resource_properties")) {
            cases.add(row(without(filter), filter, "Missing parameter " + filter));
            cases.add(row(with(filter, "gpu", request()), filter, "Malformed requirements gpu"));
            cases.add(row(with(filter, 5, request()), filter, "Malformed requirements 5"));
            cases.add(row(with(filter, true, request()), filter, "Malformed requirements true"));
            cases.add(row(with(filter, Map.of(), request()), filter, "Malformed requirements {}"));
            cases.add(
                    row(
                            with(filter, List.of("==", "$gpu", 5), request()),
                            filter,
                            "Malformed requirements [\"==\",\"$gpu\",5]"));
        }
        for (String choice : List.of("before_end", "selection")) {
            for (Object odd : List.of("email", 5, true, List.of("default"))) {
                cases.add(
                        row(with(choice, odd, request()), choice, "Malformed parameter " + choice));
            }
            cases.add(row(with(choice, null, request()), choice, "Malformed parameter " + choice));
        }
        return cases.stream();
    }

    @Test
    void parameters_are_checked_in_the_order_that_clients_expect() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        assertInvalid(parameters, "min");
        parameters.put("min", 3);
        assertInvalid(parameters, "max");
        parameters.put("max", 0);
        assertInvalid(parameters, "max");
        parameters.put("max", 2);
        assertInvalid(parameters, "max");
        parameters.put("min", 1);
        assertInvalid(parameters, "hypervisor_properties");
        parameters.put("hypervisor_properties", "gpu");
        assertInvalid(parameters, "resource_properties");
        parameters.put("resource_properties", "gpu");
        parameters.put("before_end", "email");
        assertInvalid(parameters, "before_end");
        parameters.put("before_end", "default");
        assertInvalid(parameters, "hypervisor_properties");
        parameters.put("hypervisor_properties", "");
        assertInvalid(parameters, "resource_properties");
        parameters.put("resource_properties", "");
        assertThat(planning.plan(parameters)).isInstanceOf(Plan.Planned.class);
    }

    @Test
    void planning_a_plan_again_changes_nothing() {
        Plan.Planned once =
                planned(
                        planning.plan(
                                with(
                                        "selection",
                                        "spread",
                                        with(
                                                "resource_properties",
                                                List.of("==", "$gpu", "V100"),
                                                request()))));

        assertThat(planning.plan(once.parameters())).isEqualTo(once);
    }

    @Test
    void a_host_reservation_shows_the_fields_of_blazar_in_order() {
        ReservationWish wish =
                new ReservationWish(
                        new ReservationId(new UUID(0, 1)),
                        ResourceKind.PHYSICAL_HOST,
                        normal(1, 2, "", GPU));

        assertThat(planning.render(wish))
                .containsExactly(
                        Map.entry("min", 1),
                        Map.entry("max", 2),
                        Map.entry("hypervisor_properties", ""),
                        Map.entry("resource_properties", GPU),
                        Map.entry("before_end", "default"),
                        entry("aggregate_id", null));
    }

    private void assertInvalid(Map<String, Object> parameters, String field) {
        assertThat(planning.plan(parameters))
                .isInstanceOfSatisfying(
                        Plan.Invalid.class,
                        invalid -> assertThat(invalid.field()).isEqualTo(field));
    }

    private static Object[] row(Map<String, Object> parameters, String field, String message) {
        return new Object[] {parameters, field, message};
    }

    private static Map<String, Object> without(String name) {
        Map<String, Object> changed = request();
        changed.remove(name);
        return changed;
    }
}
