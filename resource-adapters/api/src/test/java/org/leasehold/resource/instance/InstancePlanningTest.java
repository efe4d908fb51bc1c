package org.leasehold.resource.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.vocabulary.ReservationId;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

class InstancePlanningTest {

    private final InstancePlanning planning = new InstancePlanning();

    private static Map<String, @Nullable Object> request() {
        Map<String, @Nullable Object> request = new LinkedHashMap<>();
        request.put("vcpus", 2);
        request.put("memory_mb", 4096);
        request.put("disk_gb", 0);
        request.put("amount", 3);
        request.put("affinity", null);
        request.put("resource_properties", "");
        return request;
    }

    private static Map<String, @Nullable Object> with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> request = request();
        request.put(name, value);
        return request;
    }

    @Test
    void the_demand_is_for_slots_on_hosts() {
        assertThat(planned(request()).demand())
                .isEqualTo(
                        new Demand.Shared(
                                ResourceKind.PHYSICAL_HOST,
                                3,
                                Map.of("VCPU", 2L, "MEMORY_MB", 4096L, "DISK_GB", 0L),
                                Requirement.none(),
                                Spread.ANYWHERE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vcpus",
                "memory_mb",
                "disk_gb",
                "amount",
                "affinity",
                "resource_properties"
            })
    void every_parameter_is_required(String name) {
        Map<String, @Nullable Object> request = request();
        request.remove(name);
        assertThat(planning.plan(request))
                .isEqualTo(new Plan.Invalid(name, "Missing parameter " + name));
    }

    @ParameterizedTest
    @CsvSource({
        "vcpus, 0",
        "vcpus, -1",
        "memory_mb, 0",
        "disk_gb, -1",
        "vcpus, 1000000001",
        "memory_mb, much",
        "vcpus, ''"
    })
    void a_size_is_a_number_within_limits(String name, String value) {
        assertThat(((Plan.Invalid) planning.plan(with(name, value))).message())
                .startsWith("Malformed parameter " + name);
    }

    @Test
    void an_amount_is_an_integer_from_one() {
        assertThat(planning.plan(with("amount", 0)))
                .isEqualTo(new Plan.Invalid("amount", "amount must be >= 1"));
        assertThat(planning.plan(with("amount", new BigDecimal("1.5"))))
                .isEqualTo(new Plan.Invalid("amount", "amount must be an integer"));
        assertThat(planning.plan(with("amount", "")))
                .isEqualTo(new Plan.Invalid("amount", "amount must be an integer"));
        assertThat(planning.plan(with("amount", 10_001)))
                .isEqualTo(new Plan.Invalid("amount", "amount must be <= 10000"));
        assertThat(planned(with("amount", "2")).parameters()).containsEntry("amount", 2);
    }

    @ParameterizedTest
    @CsvSource({
        "True, TOGETHER",
        "yes, TOGETHER",
        "1, TOGETHER",
        "False, APART",
        "off, APART",
        "None, ANYWHERE",
        "none, ANYWHERE"
    })
    void affinity_accepts_the_words_for_true_false_and_none(String word, Spread spread) {
        assertThat(((Demand.Shared) planned(with("affinity", word)).demand()).spread())
                .isEqualTo(spread);
    }

    @Test
    void affinity_is_stored_as_a_boolean_or_as_none() {
        assertThat(planned(with("affinity", "True")).parameters()).containsEntry("affinity", true);
        assertThat(planned(with("affinity", false)).parameters()).containsEntry("affinity", false);
        assertThat(planned(with("affinity", "None")).parameters()).containsEntry("affinity", null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "maybe", "2"})
    void any_other_affinity_is_malformed(String word) {
        assertThat(planning.plan(with("affinity", word)))
                .isEqualTo(
                        new Plan.Invalid(
                                "affinity",
                                "Malformed parameter affinity (must be a bool value or None)"));
    }

    @Test
    void the_hosts_may_be_filtered() {
        assertThat(planned(with("resource_properties", "[\"==\", \"$gpu\", \"1\"]")).demand())
                .extracting(Demand::requirement)
                .isEqualTo(new Requirement.Comparison(Requirement.Operator.EQUAL, "gpu", "1"));
        assertThat(((Plan.Invalid) planning.plan(with("resource_properties", "[1"))).message())
                .isEqualTo("Malformed requirements [1");
    }

    @Test
    void parameters_can_change_before_the_start() {
        Map<String, @Nullable Object> current = planned(request()).parameters();
        Plan.Planned changed =
                (Plan.Planned)
                        planning.change(
                                current,
                                Map.of("vcpus", 4, "affinity", "false", "amount", 1, "id", "x"),
                                false);
        assertThat(changed).isEqualTo(planned(changedRequest()));
    }

    private static Map<String, @Nullable Object> changedRequest() {
        Map<String, @Nullable Object> request = request();
        request.put("vcpus", 4);
        request.put("affinity", false);
        request.put("amount", 1);
        return request;
    }

    @Test
    void a_running_reservation_can_only_increase_the_amount() {
        Map<String, @Nullable Object> current = planned(request()).parameters();
        assertThat(planning.change(current, Map.of("amount", 5, "vcpus", 2), true))
                .isEqualTo(planned(with("amount", 5)));
        assertThat(planning.change(current, Map.of("amount", 5, "vcpus", 4), true))
                .isEqualTo(
                        new Plan.Invalid(
                                "vcpus", "An active reservation only accepts to update amount."));
        assertThat(planning.change(current, Map.of("amount", 2), true))
                .isEqualTo(
                        new Plan.Invalid(
                                "amount",
                                "Instance reservation doesn't allow to reduce/replace reserved"
                                        + " instance slots when the reservation is in active"
                                        + " status."));
    }

    @Test
    void the_shown_flavor_id_is_the_reservation_id() {
        ReservationId id = new ReservationId(UUID.randomUUID());
        ReservationWish wish =
                new ReservationWish(
                        id, ResourceKind.VIRTUAL_INSTANCE, planned(request()).parameters());
        assertThat(planning.render(wish))
                .containsEntry("flavor_id", id.toString())
                .containsEntry("amount", 3)
                .containsEntry("aggregate_id", null)
                .containsEntry("server_group_id", null)
                .hasSize(9);
    }

    private Plan.Planned planned(Map<String, @Nullable Object> parameters) {
        return (Plan.Planned) planning.plan(parameters);
    }

    @Test
    void omitted_parameters_get_defaults_without_requirements() {
        Map<String, @Nullable Object> asked = new HashMap<>(planning.defaults());
        asked.putAll(Map.of("vcpus", 1, "memory_mb", 512, "disk_gb", 0, "amount", 2));

        assertThat(planning.plan(asked))
                .isInstanceOfSatisfying(
                        Plan.Planned.class,
                        planned -> {
                            assertThat(planned.parameters()).containsEntry("affinity", null);
                            assertThat(planned.demand().requirement())
                                    .isEqualTo(Requirement.none());
                        });
    }
}
