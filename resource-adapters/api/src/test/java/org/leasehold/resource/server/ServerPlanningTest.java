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
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

class ServerPlanningTest {

    private static final String ID = "6edbc2f4-1507-44f8-ac0d-eed1d2608d38";
    private static final Map<String, @Nullable Object> SERVER =
            new Room("nova", 2, 4096, 20).attributes();

    private final ServerPlanning planning = new ServerPlanning();

    @Test
    void a_server_needs_its_room_in_its_zone() {
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
    void a_server_that_is_shelved_already_is_in_no_zone_and_needs_its_room_in_any() {
        Plan.Planned planned = planned(with("server", new Room("", 2, 4096, 20).attributes()));

        assertThat(((Demand.Shared) planned.demand()).requirement()).isEqualTo(Requirement.none());
        assertThat(planned(planned.parameters())).isEqualTo(planned);
    }

    @Test
    void it_runs_from_the_start_and_is_shelved_at_the_end_unless_it_is_said() {
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
    void a_plan_understands_what_it_normalised() {
        assertThat(planned(planned(wish()).parameters())).isEqualTo(planned(wish()));
    }

    @Test
    void which_server_it_is_must_be_said() {
        assertInvalid(planning.plan(Map.of()), "server_id", "Missing parameter server_id");
        for (Object odd : List.of("", "web-1", 7, ID.toUpperCase(Locale.ROOT), ID + "/action")) {
            assertInvalid(
                    planning.plan(with("server_id", odd)),
                    "server_id",
                    "Malformed parameter server_id (must be a server's id)");
        }
    }

    @Test
    void a_server_of_which_the_cloud_has_said_nothing_is_not_there() {
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
    void a_start_is_one_of_two_and_an_end_one_of_six() {
        for (String start : List.of("unshelve", "leave")) {
            assertThat(OnStart.of(planned(with("on_start", start)).parameters()).word())
                    .isEqualTo(start);
        }
        for (String end : List.of("shelve", "stop", "suspend", "snapshot", "delete", "keep")) {
            assertThat(OnEnd.of(planned(with("on_end", end)).parameters()).word()).isEqualTo(end);
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
    void before_its_start_both_can_be_changed_but_not_which_server_it_is() {
        Map<String, @Nullable Object> changes =
                Map.of(
                        "server_id",
                        "9f1a35a4-0f5b-4a0a-9a57-6f0f5f6f9c11",
                        "on_start",
                        "leave",
                        "on_end",
                        "delete",
                        "server",
                        new Room("edge", 1, 1, 1).attributes());
        Map<String, @Nullable Object> changed = wish();
        changed.put("on_start", "leave");
        changed.put("on_end", "delete");

        assertThat(planning.change(current(), changes, false)).isEqualTo(planned(changed));
    }

    @Test
    void only_its_end_changes_while_it_runs() {
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
    void there_is_something_to_do_for_it_before_its_start() {
        assertThat(planning.preparesStart(current())).isTrue();
    }

    @Test
    void shelving_it_makes_an_image_of_the_users() {
        assertThat(planning.actsAsUser(current())).isTrue();
    }

    @Test
    void a_reservation_shows_what_was_asked_for_and_what_the_server_is() {
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
