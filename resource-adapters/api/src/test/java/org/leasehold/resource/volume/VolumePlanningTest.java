package org.leasehold.resource.volume;

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

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

class VolumePlanningTest {

    private static final String ID = "6edbc2f4-1507-44f8-ac0d-eed1d2608d38";

    private final VolumePlanning planning = new VolumePlanning();

    @Test
    void a_new_volume_takes_gib_of_one_type() {
        Plan.Planned planned = planned(wish());

        assertThat(planned.demand())
                .isEqualTo(
                        new Demand.Shared(
                                ResourceKind.VOLUME,
                                20,
                                Map.of("VOLUME_GB", 1L),
                                new Comparison(Operator.EQUAL, "volume_type", "gold"),
                                Spread.TOGETHER));
        assertThat(planned.parameters())
                .isEqualTo(parameters("gold", 20, "data", "", null, "delete"));
    }

    @Test
    void an_existing_volume_takes_nothing_and_is_detached_by_default() {
        Plan.Planned planned = planned(Map.of("volume_id", ID));

        assertThat(planned.demand())
                .isEqualTo(
                        new Demand.Shared(
                                ResourceKind.VOLUME,
                                1,
                                Map.of("VOLUME_GB", 0L),
                                Requirement.none(),
                                Spread.TOGETHER));
        assertThat(planned.parameters())
                .isEqualTo(parameters(null, null, null, null, ID, "detach"));
        assertThat(planned(Map.of("volume_id", ID, "on_end", "delete")).parameters())
                .containsEntry("on_end", "delete");
    }

    @Test
    void a_request_for_an_existing_volume_excludes_other_properties() {
        for (String name : List.of("volume_type", "size", "name", "description")) {
            assertInvalid(
                    planning.plan(Map.of("volume_id", ID, name, "1")),
                    name,
                    "Malformed parameter %s (the volume volume_id has its own)".formatted(name));
        }
        for (Object odd : List.of("", "gold", 7, ID.toUpperCase(Locale.ROOT))) {
            assertInvalid(
                    planning.plan(Map.of("volume_id", odd)),
                    "volume_id",
                    "Malformed parameter volume_id (must be a volume's id)");
        }
    }

    @Test
    void missing_parameters_are_reported_in_order() {
        assertInvalid(planning.plan(Map.of()), "volume_type", "Missing parameter volume_type");
        assertInvalid(
                planning.plan(Map.of("volume_type", "gold")), "size", "Missing parameter size");
        assertThat(planning.plan(Map.of("volume_type", "gold", "size", "1")))
                .isInstanceOf(Plan.Planned.class);
    }

    @Test
    void a_size_is_a_number_from_1_to_1000000() {
        for (Object odd : List.of(0, -1, "ten", 1_000_001, "99999999999999999999", true)) {
            assertInvalid(
                    planning.plan(with("size", odd)),
                    "size",
                    "Malformed parameter size (must be from 1 to 1000000)");
        }
        assertThat(planned(with("size", "1000000")).parameters()).containsEntry("size", 1_000_000);
    }

    @Test
    void texts_have_up_to_255_characters() {
        for (String name : List.of("name", "description")) {
            String why = "Malformed parameter " + name + " (must be a text of 0 to 255 characters)";
            assertInvalid(planning.plan(with(name, 7)), name, why);
            assertInvalid(planning.plan(with(name, "x".repeat(256))), name, why);
            assertThat(planned(with(name, "x".repeat(255))).parameters())
                    .containsEntry(name, "x".repeat(255));
            assertThat(planned(with(name, null)).parameters()).containsEntry(name, "");
        }
        assertInvalid(
                planning.plan(with("volume_type", "")),
                "volume_type",
                "Malformed parameter volume_type (must be a text of 1 to 255 characters)");
    }

    @Test
    void there_are_four_end_actions() {
        for (String end : List.of("delete", "snapshot", "detach", "keep")) {
            assertThat(VolumeEndAction.of(planned(with("on_end", end)).parameters()).word())
                    .isEqualTo(end);
        }
        for (Object odd : List.of("", "Delete", 7, List.of("keep"))) {
            assertInvalid(
                    planning.plan(with("on_end", odd)),
                    "on_end",
                    "Malformed parameter on_end (must be one of delete, snapshot, detach, keep)");
        }
    }

    @Test
    void all_parameters_but_the_volume_id_can_change_before_the_start() {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("volume_type", "silver");
        changes.put("size", 5);
        changes.put("name", "other");
        changes.put("description", "of another lab");
        changes.put("on_end", "keep");
        changes.put("volume_id", ID);
        changes.put("min", 3);

        assertThat(planning.change(current(), changes, false))
                .isEqualTo(
                        planned(parameters("silver", 5, "other", "of another lab", null, "keep")));
    }

    @Test
    void a_running_volume_reservation_can_grow_but_not_shrink() {
        assertThat(((Plan.Planned) planning.change(current(), Map.of("size", 30), true)).demand())
                .isEqualTo(planned(with("size", 30)).demand());
        assertInvalid(
                planning.change(current(), Map.of("size", 19), true),
                "size",
                "A volume that is there never shrinks: its size is 20 GiB");
        assertThat(planning.change(current(), Map.of("size", 19), false))
                .isEqualTo(planned(with("size", 19)));
    }

    @Test
    void type_name_and_description_cannot_change_after_the_start() {
        for (String name : List.of("volume_type", "name", "description")) {
            assertInvalid(
                    planning.change(current(), Map.of(name, "other"), true),
                    name,
                    "Cannot change " + name + " of a reservation that has already started");
        }
        assertThat(planning.change(current(), Map.of("on_end", "keep"), true))
                .isEqualTo(planned(with("on_end", "keep")));
        assertThat(
                        planning.change(
                                planned(Map.of("volume_id", ID)).parameters(),
                                Map.of("on_end", "keep"),
                                true))
                .isEqualTo(planned(Map.of("volume_id", ID, "on_end", "keep")));
    }

    @Test
    void a_reservation_that_creates_a_volume_or_snapshot_acts_as_the_user() {
        assertThat(planning.actsAsUser(current())).isTrue();
        assertThat(
                        planning.actsAsUser(
                                planned(Map.of("volume_id", ID, "on_end", "snapshot"))
                                        .parameters()))
                .isTrue();
        assertThat(planning.actsAsUser(planned(Map.of("volume_id", ID)).parameters())).isFalse();
    }

    @Test
    void a_reservation_shows_the_requested_parameters() {
        Map<String, @Nullable Object> rendered =
                planning.render(
                        new ReservationWish(
                                new ReservationId(UUID.randomUUID()),
                                ResourceKind.VOLUME,
                                current()));

        assertThat(rendered).isEqualTo(parameters("gold", 20, "data", "", null, "delete"));
    }

    private static Map<String, @Nullable Object> wish() {
        return Map.of("volume_type", "gold", "size", 20, "name", "data", "min", 3);
    }

    private static Map<String, @Nullable Object> with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> wish = new HashMap<>(wish());
        wish.put(name, value);
        return wish;
    }

    private Map<String, @Nullable Object> current() {
        return planned(wish()).parameters();
    }

    private Plan.Planned planned(Map<String, @Nullable Object> parameters) {
        return (Plan.Planned) planning.plan(parameters);
    }

    private static Map<String, @Nullable Object> parameters(
            @Nullable Object type,
            @Nullable Object size,
            @Nullable Object name,
            @Nullable Object description,
            @Nullable Object id,
            Object onEnd) {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("volume_type", type);
        parameters.put("size", size);
        parameters.put("name", name);
        parameters.put("description", description);
        parameters.put("volume_id", id);
        parameters.put("on_end", onEnd);
        return parameters;
    }

    private static void assertInvalid(Plan plan, String field, String message) {
        assertThat(plan).isEqualTo(new Plan.Invalid(field, message));
    }
}
