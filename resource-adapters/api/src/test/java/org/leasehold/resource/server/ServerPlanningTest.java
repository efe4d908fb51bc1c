package org.leasehold.resource.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

class ServerPlanningTest {

    private static final String ID = "6edbc2f4-1507-44f8-ac0d-eed1d2608d38";
    private static final Map<String, @Nullable Object> SERVER =
            new ComputeCapacity("nova", 2, 4096, 20).attributes();

    private final ServerPlanning planning = new ServerPlanning();

    @Test
    void a_server_needs_capacity_in_the_current_zone() {
        Plan.Planned planned = planned(wish());

        assertThat(planned.demand())
                .isEqualTo(
                        new Demand.Shared(
                                ResourceKind.SERVER,
                                1,
                                Map.of("VCPU", 2L, "MEMORY_MB", 4096L, "DISK_GB", 20L),
                                new Comparison(Operator.EQUAL, "availability_zone", "nova"),
                                Spread.TOGETHER));
    }

    @Test
    void a_server_without_a_zone_needs_capacity_in_any_zone() {
        Plan.Planned planned =
                planned(with("server", new ComputeCapacity("", 2, 4096, 20).attributes()));

        assertThat(((Demand.Shared) planned.demand()).requirement()).isEqualTo(Requirement.none());
        assertThat(planned(planned.parameters())).isEqualTo(planned);
    }

    @Test
    void a_server_is_unshelved_at_the_start_and_shelved_at_the_end_by_default() {
        assertThat(planned(wish()).parameters())
                .isEqualTo(
                        Map.of(
                                "server_id",
                                ID,
                                "on_start",
                                "unshelve",
                                "on_end",
                                "shelve",
                                "server",
                                SERVER));
    }

    @Test
    void planning_a_plan_again_changes_nothing() {
        assertThat(planned(planned(wish()).parameters())).isEqualTo(planned(wish()));
    }

    @Test
    void a_valid_server_id_is_required() {
        assertInvalid(planning.plan(Map.of()), "server_id", "Missing parameter server_id");
        for (Object odd : List.of("", "web-1", 7, ID.toUpperCase(Locale.ROOT), ID + "/action")) {
            assertInvalid(
                    planning.plan(with("server_id", odd)),
                    "server_id",
                    "Malformed parameter server_id (must be a server's id)");
        }
    }

    @Test
    void a_server_without_a_description_from_the_cloud_is_not_found() {
        assertInvalid(
                planning.plan(Map.of("server_id", ID)),
                "server_id",
                "Server " + ID + " could not be found.");
        assertInvalid(
                planning.plan(with("server", "small")),
                "server_id",
                "Server " + ID + " could not be found.");
    }

    @Test
    void there_are_two_start_actions_and_six_end_actions() {
        for (String start : List.of("unshelve", "leave")) {
            assertThat(ServerStartAction.of(planned(with("on_start", start)).parameters()).word())
                    .isEqualTo(start);
        }
        for (String end : List.of("shelve", "stop", "suspend", "snapshot", "delete", "keep")) {
            assertThat(ServerEndAction.of(planned(with("on_end", end)).parameters()).word())
                    .isEqualTo(end);
        }
        for (Object odd : List.of("", "Delete", 7, List.of("keep"))) {
            assertInvalid(
                    planning.plan(with("on_start", odd)),
                    "on_start",
                    "Malformed parameter on_start (must be one of unshelve, leave)");
            assertInvalid(
                    planning.plan(with("on_end", odd)),
                    "on_end",
                    "Malformed parameter on_end (must be one of shelve, stop, suspend, snapshot,"
                            + " delete, keep)");
        }
    }

    @Test
    void the_actions_can_change_before_the_start_but_not_the_server() {
        Map<String, @Nullable Object> changes =
                Map.of(
                        "server_id",
                        "9f1a35a4-0f5b-4a0a-9a57-6f0f5f6f9c11",
                        "on_start",
                        "leave",
                        "on_end",
                        "delete",
                        "server",
                        new ComputeCapacity("edge", 1, 1, 1).attributes());
        Map<String, @Nullable Object> changed = wish();
        changed.put("on_start", "leave");
        changed.put("on_end", "delete");

        assertThat(planning.change(current(), changes, false)).isEqualTo(planned(changed));
    }

    @Test
    void only_the_end_action_can_change_after_the_start() {
        assertThat(planning.change(current(), Map.of("on_end", "keep"), true))
                .isEqualTo(planned(with("on_end", "keep")));
        assertThat(planning.change(current(), Map.of("on_start", "unshelve"), true))
                .isEqualTo(planned(wish()));
        assertInvalid(
                planning.change(current(), Map.of("on_start", "leave"), true),
                "on_start",
                "Cannot change on_start of a reservation that has already started");
    }

    @Test
    void a_server_reservation_needs_a_preparation() {
        assertThat(planning.preparesStart(current())).isTrue();
    }

    @Test
    void a_reservation_that_shelves_a_server_acts_as_the_user() {
        assertThat(planning.actsAsUser(current())).isTrue();
    }

    @Test
    void a_reservation_shows_the_request_and_the_capacity_of_the_server() {
        Map<String, @Nullable Object> rendered =
                planning.render(
                        new ReservationWish(
                                new ReservationId(UUID.randomUUID()),
                                ResourceKind.SERVER,
                                current()));

        assertThat(new ArrayList<>(rendered.keySet()))
                .containsExactly(
                        "server_id",
                        "on_start",
                        "on_end",
                        "availability_zone",
                        "vcpus",
                        "memory_mb",
                        "disk_gb");
        assertThat(new ArrayList<>(rendered.values()))
                .containsExactly(ID, "unshelve", "shelve", "nova", 2L, 4096L, 20L);
    }

    private static Map<String, @Nullable Object> wish() {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("server_id", ID);
        wish.put("server", SERVER);
        return wish;
    }

    private static Map<String, @Nullable Object> with(String name, Object value) {
        Map<String, @Nullable Object> wish = wish();
        wish.put(name, value);
        return wish;
    }

    private Map<String, @Nullable Object> current() {
        return planned(wish()).parameters();
    }

    private Plan.Planned planned(Map<String, @Nullable Object> parameters) {
        return (Plan.Planned) planning.plan(parameters);
    }

    private static void assertInvalid(Plan plan, String field, String message) {
        assertThat(plan).isEqualTo(new Plan.Invalid(field, message));
    }
}
