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

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class FlavorPlanningTest {

    private final FlavorPlanning planning = new FlavorPlanning();

    private static Flavor flavor(String id, Map<String, String> extraSpecs) {
        return new Flavor(id, "m1." + id, 2, 4096, 20, 10, 0, extraSpecs);
    }

    private static Map<String, @Nullable Object> request(Flavor flavor) {
        Map<String, @Nullable Object> request = new LinkedHashMap<>();
        request.put("flavor_id", flavor.id());
        request.put("amount", 3);
        request.put("affinity", null);
        request.put("flavor", flavor.parameters());
        return request;
    }

    private static Map<String, @Nullable Object> request() {
        return request(flavor("small", Map.of()));
    }

    private static Map<String, @Nullable Object> with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> request = request();
        request.put(name, value);
        return request;
    }

    private Plan.Planned planned(Map<String, @Nullable Object> parameters) {
        return (Plan.Planned) planning.plan(parameters);
    }

    private Demand.Shared demand(Map<String, String> extraSpecs) {
        return (Demand.Shared) planned(request(flavor("small", extraSpecs))).demand();
    }

    @Test
    void the_demand_is_for_slots_of_the_flavor_size_with_both_disks() {
        assertThat(planned(request()).demand())
                .isEqualTo(
                        new Demand.Shared(
                                ResourceKind.PHYSICAL_HOST,
                                3,
                                Map.of("VCPU", 2L, "MEMORY_MB", 4096L, "DISK_GB", 30L),
                                Requirement.none(),
                                Spread.ANYWHERE));
    }

    @Test
    void swap_counts_as_disk_in_whole_gigabytes() {
        Flavor swapping = new Flavor("small", "m1.small", 2, 4096, 20, 10, 1025, Map.of());

        assertThat(((Demand.Shared) planned(request(swapping)).demand()).needs())
                .containsEntry("DISK_GB", 32L);
    }

    @Test
    void dedicated_cores_count_as_pcpu() {
        assertThat(demand(Map.of("hw:cpu_policy", "dedicated")).needs())
                .containsOnly(
                        Map.entry("PCPU", 2L),
                        Map.entry("MEMORY_MB", 4096L),
                        Map.entry("DISK_GB", 30L));
        assertThat(demand(Map.of("hw:cpu_policy", "shared")).needs()).containsEntry("VCPU", 2L);
    }

    @Test
    void extra_specs_add_or_override_the_needs_of_a_flavor() {
        assertThat(demand(Map.of("resources:CUSTOM_GPU", "2", "resources:VCPU", "0")).needs())
                .containsOnly(
                        Map.entry("CUSTOM_GPU", 2L),
                        Map.entry("VCPU", 0L),
                        Map.entry("MEMORY_MB", 4096L),
                        Map.entry("DISK_GB", 30L));
    }

    @Test
    void a_trait_is_met_by_a_host_capability_of_the_same_name() {
        Requirement both =
                demand(Map.of("trait:CUSTOM_SSD", "required", "trait:CUSTOM_SLOW", "forbidden"))
                        .requirement();

        assertThat(both.isMetBy(Map.of("CUSTOM_SSD", "true"))).isTrue();
        assertThat(both.isMetBy(Map.of("CUSTOM_SSD", "True", "CUSTOM_SLOW", "false"))).isTrue();
        assertThat(both.isMetBy(Map.of("CUSTOM_SSD", "false"))).isFalse();
        assertThat(both.isMetBy(Map.of())).isFalse();
        assertThat(both.isMetBy(Map.of("CUSTOM_SSD", "true", "CUSTOM_SLOW", "true"))).isFalse();
        assertThat(demand(Map.of("trait:CUSTOM_SSD", "required")).requirement().properties())
                .containsExactly("CUSTOM_SSD");
    }

    @ParameterizedTest
    @CsvSource({
        "resources:CUSTOM_GPU, many",
        "resources:CUSTOM_GPU, -1",
        "resources1:VCPU, 2",
        "trait_NIC:CUSTOM_FAST, required",
        "trait:CUSTOM_SSD, preferred",
        "hw:cpu_policy, mixed",
        "aggregate_instance_extra_specs:reservation, b1"
    })
    void a_flavor_with_an_unsupported_extra_spec_is_invalid(String spec, String value) {
        assertThat(planning.plan(request(flavor("small", Map.of(spec, value)))))
                .isEqualTo(
                        new Plan.Invalid(
                                "flavor_id",
                                "The flavor m1.small cannot be reserved: its extra spec %s=%s is"
                                                .formatted(spec, value)
                                        + " not supported"));
    }

    @Test
    void a_flavor_without_needs_is_invalid() {
        Map<String, String> nothing =
                Map.of("resources:VCPU", "0", "resources:MEMORY_MB", "0", "resources:DISK_GB", "0");

        assertThat(planning.plan(request(flavor("small", nothing))))
                .isEqualTo(
                        new Plan.Invalid(
                                "flavor_id",
                                "The flavor m1.small cannot be reserved: it needs nothing"));
    }

    @Test
    void other_extra_specs_do_not_change_the_demand() {
        Map<String, String> specs = Map.of("hw:numa_nodes", "1", "quota:disk_read_iops", "9");

        assertThat(demand(specs)).isEqualTo(demand(Map.of()));
    }

    @Test
    void all_missing_parameters_are_named_at_once() {
        assertThat(planning.plan(Map.of("amount", 1)))
                .isEqualTo(new Plan.Invalid("flavor_id", "Missing parameter flavor_id,affinity"));
        assertThat(planning.plan(Map.of()))
                .isEqualTo(
                        new Plan.Invalid(
                                "flavor_id", "Missing parameter flavor_id,amount,affinity"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a?b", "ä"})
    void a_malformed_flavor_id_is_invalid(String id) {
        assertThat(planning.plan(with("flavor_id", id)))
                .isEqualTo(new Plan.Invalid("flavor_id", "Malformed parameter flavor_id"));
    }

    @Test
    void a_numeric_flavor_id_may_be_sent_as_a_number() {
        assertThat(planned(with("flavor_id", 7)).parameters()).containsEntry("flavor_id", "7");
    }

    @Test
    void an_amount_is_an_integer_from_one() {
        assertThat(planning.plan(with("amount", 0)))
                .isEqualTo(new Plan.Invalid("amount", "amount must be >= 1"));
        assertThat(planning.plan(with("amount", "")))
                .isEqualTo(new Plan.Invalid("amount", "amount must be an integer"));
        assertThat(planned(with("amount", "2")).parameters()).containsEntry("amount", 2);
    }

    @Test
    void affinity_must_be_none() {
        assertThat(planned(with("affinity", "None"))).isEqualTo(planned(request()));
        for (Object affinity : List.of(true, false, "True")) {
            assertThat(planning.plan(with("affinity", affinity)))
                    .isEqualTo(new Plan.Invalid("affinity", "Affinity not supported yet"));
        }
        assertThat(((Plan.Invalid) planning.plan(with("affinity", "maybe"))).message())
                .startsWith("Malformed parameter affinity");
    }

    @Test
    void a_plan_requires_the_description_of_the_flavor() {
        Map<String, @Nullable Object> incomplete = request();
        incomplete.remove("flavor");

        assertThat(planning.plan(incomplete))
                .isEqualTo(new Plan.Invalid("flavor_id", "Flavor small could not be found."));
    }

    @Test
    void the_flavor_and_the_amount_can_change_before_the_start() {
        Flavor large = flavor("large", Map.of("trait:CUSTOM_SSD", "required"));
        Map<String, @Nullable Object> changes =
                Map.of("flavor_id", "large", "flavor", large.parameters(), "amount", 1);
        Map<String, @Nullable Object> wanted = request(large);
        wanted.put("amount", 1);

        assertThat(planning.change(planned(request()).parameters(), changes, false))
                .isEqualTo(planned(wanted));
    }

    @Test
    void a_running_reservation_can_only_increase_the_amount() {
        Map<String, @Nullable Object> current = planned(request()).parameters();
        Map<String, @Nullable Object> another =
                Map.of("flavor_id", "large", "flavor", flavor("large", Map.of()).parameters());

        assertThat(planning.change(current, Map.of("amount", 5, "flavor_id", "small"), true))
                .isEqualTo(planned(with("amount", 5)));
        assertThat(planning.change(current, another, true))
                .isEqualTo(
                        new Plan.Invalid(
                                "flavor_id",
                                "An active reservation only accepts to update amount."));
        assertThat(planning.change(current, Map.of("amount", 2), true))
                .isInstanceOf(Plan.Invalid.class);
    }

    @Test
    void a_reservation_shows_blazars_fields_and_the_source_flavor_as_text() {
        ReservationId id = new ReservationId(UUID.randomUUID());
        Flavor source = flavor("small", Map.of("trait:CUSTOM_SSD", "required"));
        Map<String, @Nullable Object> expected = new HashMap<>();
        expected.put("vcpus", 2);
        expected.put("memory_mb", 4096);
        expected.put("disk_gb", 20);
        expected.put("amount", 3);
        expected.put("affinity", null);
        expected.put(
                "resource_properties",
                "{\"id\":\"small\",\"name\":\"m1.small\",\"vcpus\":2,\"ram\":4096,\"disk\":20,"
                        + "\"OS-FLV-EXT-DATA:ephemeral\":10,\"swap\":0,"
                        + "\"extra_specs\":{\"trait:CUSTOM_SSD\":\"required\"}}");
        expected.put("flavor_id", id.toString());
        expected.put("aggregate_id", null);
        expected.put("server_group_id", null);

        assertThat(
                        planning.render(
                                new ReservationWish(
                                        id,
                                        ResourceKind.FLAVOR_INSTANCE,
                                        planned(request(source)).parameters())))
                .isEqualTo(expected);
    }

    @Test
    void slots_have_the_size_of_the_flavor_or_of_the_reservation() {
        Flavor source = flavor("small", Map.of("hw:numa_nodes", "1"));

        assertThat(Flavor.ofSlots(planned(request(source)).parameters())).isEqualTo(source);
        assertThat(Flavor.ofSlots(Map.of("vcpus", 4, "memory_mb", 512, "disk_gb", 1)))
                .isEqualTo(new Flavor("", "", 4, 512, 1, 0, 0, Map.of()));
    }
}
