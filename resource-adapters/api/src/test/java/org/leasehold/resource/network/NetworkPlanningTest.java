package org.leasehold.resource.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.vocabulary.ReservationId;

import java.util.AbstractMap.SimpleEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class NetworkPlanningTest {

    private static final String VLAN = "[\"==\", \"$network_type\", \"vlan\"]";
    private static final String FAST = "[\">=\", \"$gbit\", \"25\"]";

    private final NetworkPlanning planning = new NetworkPlanning();

    @Test
    void a_reservation_requires_one_segment_that_meets_both_filters() {
        Requirement vlan = new Comparison(Operator.EQUAL, "network_type", "vlan");
        Requirement fast = new Comparison(Operator.AT_LEAST, "gbit", "25");
        assertThat(planning.plan(with("network_properties", VLAN, "resource_properties", FAST)))
                .isEqualTo(
                        new Plan.Planned(
                                Map.of(
                                        "network_name",
                                        "lab",
                                        "network_description",
                                        "",
                                        "network_properties",
                                        VLAN,
                                        "resource_properties",
                                        FAST),
                                demand(new Requirement.And(List.of(vlan, fast)))));
        assertThat(demandOf(with("network_properties", VLAN))).isEqualTo(demand(vlan));
        assertThat(demandOf(with("resource_properties", FAST))).isEqualTo(demand(fast));
        assertThat(demandOf(wish())).isEqualTo(demand(Requirement.none()));
    }

    @Test
    void missing_parameters_are_reported_in_order() {
        Map<String, @Nullable Object> given = new HashMap<>();
        for (String name : List.of("network_name", "network_properties", "resource_properties")) {
            assertInvalid(planning.plan(given), name, "Missing parameter " + name);
            given.put(name, name.equals("network_name") ? "lab" : "");
        }
        assertThat(planning.plan(given)).isInstanceOf(Plan.Planned.class);
        assertInvalid(
                planning.plan(with("network_name", null)),
                "network_name",
                "Missing parameter network_name");
    }

    @Test
    void a_name_has_1_to_255_characters() {
        String why = "Malformed parameter network_name (must be a text of 1 to 255 characters)";
        for (Object odd : List.of("", "  ", 7, List.of("lab"), "x".repeat(256))) {
            assertInvalid(planning.plan(with("network_name", odd)), "network_name", why);
        }
        assertThat(planning.plan(with("network_name", "x".repeat(255))))
                .isInstanceOf(Plan.Planned.class);
    }

    @Test
    void a_description_has_up_to_255_characters() {
        String why =
                "Malformed parameter network_description (must be a text of at most 255"
                        + " characters)";
        for (Object odd : List.of(7, false, "x".repeat(256))) {
            assertInvalid(
                    planning.plan(with("network_description", odd)), "network_description", why);
        }
        assertThat(planned(with("network_description", "of the lab")).parameters())
                .containsEntry("network_description", "of the lab");
        assertThat(planned(with("network_description", null)).parameters())
                .containsEntry("network_description", "");
    }

    @Test
    void a_description_must_not_begin_with_the_reservation_prefix() {
        assertInvalid(
                planning.plan(with("network_description", "reservation:" + UUID.randomUUID())),
                "network_description",
                "Malformed parameter network_description (must not begin with reservation:)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"network_properties", "resource_properties"})
    void a_malformed_filter_is_named(String field) {
        assertInvalid(
                planning.plan(with(field, "[\"like\", \"$a\", \"b\"]")),
                field,
                "Malformed requirements [\"like\", \"$a\", \"b\"]");
        assertThat(planned(with(field, List.of("==", "$a", "b"))).parameters())
                .containsEntry(field, "[\"==\",\"$a\",\"b\"]");
    }

    @Test
    void all_parameters_can_change_before_the_start() {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("network_name", "other");
        changes.put("network_description", "of another lab");
        changes.put("network_properties", VLAN);
        changes.put("resource_properties", FAST);
        changes.put("min", 3);

        Plan changed = planning.change(current(), changes, false);

        changes.remove("min");
        assertThat(changed).isEqualTo(planning.plan(changes));
        assertInvalid(
                planning.change(current(), Map.of("network_name", ""), false),
                "network_name",
                "Malformed parameter network_name (must be a text of 1 to 255 characters)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "network_name",
                "network_description",
                "network_properties",
                "resource_properties"
            })
    void a_running_reservation_cannot_be_changed(String field) {
        assertInvalid(
                planning.change(current(), Map.of(field, VLAN), true),
                field,
                "Cannot change " + field + " of a reservation that has already started");
        assertThat(planning.change(current(), current(), true)).isEqualTo(planning.plan(current()));
    }

    @Test
    void a_reservation_shows_the_requested_parameters() {
        ReservationWish wish =
                new ReservationWish(
                        new ReservationId(UUID.randomUUID()),
                        ResourceKind.NETWORK,
                        planned(with("network_properties", VLAN)).parameters());
        assertThat(List.copyOf(planning.render(wish).entrySet()))
                .containsExactly(
                        Map.entry("network_name", "lab"),
                        Map.entry("network_description", ""),
                        Map.entry("network_properties", VLAN),
                        Map.entry("resource_properties", ""),
                        new SimpleEntry<>("network_id", null));
    }

    private Map<String, @Nullable Object> current() {
        return planned(wish()).parameters();
    }

    private static Map<String, @Nullable Object> wish() {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("network_name", "lab");
        wish.put("network_properties", "");
        wish.put("resource_properties", "");
        return wish;
    }

    private static Map<String, @Nullable Object> with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> wish = wish();
        wish.put(name, value);
        return wish;
    }

    private static Map<String, @Nullable Object> with(
            String name, Object value, String otherName, Object other) {
        Map<String, @Nullable Object> wish = with(name, value);
        wish.put(otherName, other);
        return wish;
    }

    private Plan.Planned planned(Map<String, @Nullable Object> parameters) {
        Plan plan = planning.plan(parameters);
        assertThat(plan).isInstanceOf(Plan.Planned.class);
        return (Plan.Planned) plan;
    }

    private Demand demandOf(Map<String, @Nullable Object> parameters) {
        return planned(parameters).demand();
    }

    private static Demand demand(Requirement requirement) {
        return new Demand.Whole(
                ResourceKind.NETWORK, 1, 1, requirement, Demand.Selection.FIRST_FIT);
    }

    private static void assertInvalid(Plan plan, String field, String message) {
        assertThat(plan).isEqualTo(new Plan.Invalid(field, message));
    }
}
