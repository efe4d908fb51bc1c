package org.leasehold.resource.floatingip;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.vocabulary.ReservationId;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class FloatingIpPlanningTest {

    private static final String NET = "b4a5a0e6-9d0a-4a7e-9d0c-1c2c7e5a0d11";
    private static final String CANNOT =
            "Floating IP reservation cannot be updated with requested parameters. ";

    private final FloatingIpPlanning planning = new FloatingIpPlanning();

    @Test
    void the_demand_covers_one_network_and_the_required_addresses() {
        assertThat(planning.plan(wish(3, "192.0.2.7", "2001:DB8::0:1")))
                .isEqualTo(
                        new Plan.Planned(
                                Map.of(
                                        "network_id",
                                        NET,
                                        "amount",
                                        3,
                                        "required_floatingips",
                                        List.of("192.0.2.7", "2001:db8::1")),
                                new Demand.Whole(
                                        ResourceKind.FLOATING_IP,
                                        3,
                                        3,
                                        new Requirement.Comparison(
                                                Requirement.Operator.EQUAL,
                                                "floating_network_id",
                                                NET),
                                        Demand.Selection.FIRST_FIT,
                                        List.of(NET + "/192.0.2.7", NET + "/2001:db8::1"))));
    }

    @Test
    void an_amount_may_be_a_text_and_a_missing_list_is_empty() {
        Map<String, @Nullable Object> given = new HashMap<>();
        given.put("network_id", NET);
        given.put("amount", "2");
        given.put("required_floatingips", null);
        assertThat(planning.plan(given)).isEqualTo(planning.plan(wish(2)));
        given.remove("required_floatingips");
        assertThat(planning.plan(given)).isEqualTo(planning.plan(wish(2)));
    }

    @Test
    void a_required_address_that_is_given_twice_counts_once() {
        assertThat(planning.plan(wish(1, "192.0.2.7", "192.0.2.7")))
                .isEqualTo(planning.plan(wish(1, "192.0.2.7")));
    }

    @Test
    void invalid_parameters_get_the_messages_of_blazar_in_order() {
        refused(Map.of(), "network_id", "Missing parameter network_id");
        refused(Map.of("network_id", 5), "network_id", "Malformed parameter network_id");
        refused(Map.of("network_id", ""), "network_id", "Malformed parameter network_id");
        refused(Map.of("network_id", "a/b"), "network_id", "Malformed parameter network_id");
        refused(Map.of("network_id", NET), "amount", "Missing parameter amount");
        for (Object amount : List.of("two", "", true, "1.0", List.of())) {
            refused(with("amount", amount), "amount", "Malformed parameter amount");
        }
        refused(
                with("required_floatingips", "192.0.2.7"),
                "required_floatingips",
                "Malformed parameter required_floatingips");
        refused(
                wish(1, "192.0.2.300"),
                "required_floatingips",
                "IP address 192.0.2.300 is invalid form.");
        refused(
                with("required_floatingips", Arrays.asList(5, null)),
                "required_floatingips",
                "IP address 5 is invalid form.");
        refused(
                wish(1, "192.0.2.7", "192.0.2.8"),
                "required_floatingips",
                "Invalid values for required_floatingips and amount. The amount must be equal to or"
                        + " longer than length of required_floatingips.");
    }

    @Test
    void an_amount_outside_1_to_10000_is_invalid() {
        for (Object amount : List.of(0, "0", -1, 10_001, "99999999999999999999")) {
            refused(
                    with("amount", amount),
                    "amount",
                    "Malformed parameter amount (must be from 1 to 10000)");
        }
    }

    @Test
    void the_network_cannot_be_changed() {
        for (boolean running : new boolean[] {false, true}) {
            assertThat(change(wish(2), Map.of("network_id", "another"), running))
                    .isEqualTo(
                            new Plan.Invalid(
                                    "network_id", CANNOT + "The network cannot be changed."));
            assertThat(change(wish(2), Map.of("network_id", NET), running))
                    .isEqualTo(planning.plan(wish(2)));
        }
    }

    @Test
    void the_amount_can_change_before_the_start_if_required_addresses_fit() {
        assertThat(change(wish(2, "192.0.2.7"), Map.of("amount", 5), false))
                .isEqualTo(planning.plan(wish(5, "192.0.2.7")));
        assertThat(change(wish(2, "192.0.2.7"), Map.of("amount", "1"), false))
                .isEqualTo(planning.plan(wish(1, "192.0.2.7")));
        assertThat(change(wish(2, "192.0.2.7", "192.0.2.8"), Map.of("amount", 1), false))
                .isInstanceOf(Plan.Invalid.class);
    }

    @Test
    void required_addresses_can_be_cleared_but_not_replaced() {
        Map<String, @Nullable Object> none = Map.of("required_floatingips", List.of());
        assertThat(change(wish(2, "192.0.2.7"), none, false)).isEqualTo(planning.plan(wish(2)));
        assertThat(change(wish(2, "192.0.2.7"), none, true)).isEqualTo(planning.plan(wish(2)));
        assertThat(
                        change(
                                wish(2, "192.0.2.7"),
                                Map.of("required_floatingips", List.of("192.0.2.8")),
                                false))
                .isEqualTo(
                        new Plan.Invalid(
                                "required_floatingips",
                                CANNOT
                                        + "The required floating IPs can only be changed to an"
                                        + " empty list."));
        assertThat(
                        change(
                                wish(2, "192.0.2.7", "192.0.2.8"),
                                Map.of("required_floatingips", List.of("192.0.2.8", "192.0.2.7")),
                                true))
                .isInstanceOf(Plan.Planned.class);
    }

    @Test
    void an_active_reservation_only_grows() {
        assertThat(change(wish(2, "192.0.2.7"), Map.of("amount", 3), true))
                .isEqualTo(planning.plan(wish(3, "192.0.2.7")));
        assertThat(change(wish(2), Map.of("amount", 1), true))
                .isEqualTo(
                        new Plan.Invalid(
                                "amount",
                                CANNOT + "An active reservation gives no floating IP back."));
    }

    @Test
    void a_reservation_shows_the_requested_parameters() {
        Plan.Planned planned = (Plan.Planned) planning.plan(wish(2, "192.0.2.7"));
        assertThat(
                        planning.render(
                                new ReservationWish(
                                        new ReservationId(UUID.randomUUID()),
                                        ResourceKind.FLOATING_IP,
                                        planned.parameters())))
                .containsExactly(
                        Map.entry("network_id", NET),
                        Map.entry("amount", 2),
                        Map.entry("required_floatingips", List.of("192.0.2.7")));
    }

    private void refused(Map<String, @Nullable Object> wish, String field, String message) {
        assertThat(planning.plan(wish)).isEqualTo(new Plan.Invalid(field, message));
    }

    private Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        return planning.change(
                ((Plan.Planned) planning.plan(current)).parameters(), changes, running);
    }

    private static Map<String, @Nullable Object> wish(int amount, String... required) {
        return Map.of(
                "network_id", NET, "amount", amount, "required_floatingips", List.of(required));
    }

    private static Map<String, @Nullable Object> with(String name, Object value) {
        Map<String, @Nullable Object> wish = new HashMap<>(wish(1));
        wish.put(name, value);
        return wish;
    }
}
