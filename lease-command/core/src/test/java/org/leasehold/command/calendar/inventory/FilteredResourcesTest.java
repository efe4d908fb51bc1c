package org.leasehold.command.calendar.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.stored.PostgresCalendarFixture;
import org.leasehold.command.calendar.stored.SampleRequests;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.util.List;
import java.util.Map;

class FilteredResourcesTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture();

    @Test
    void a_filter_matches_attributes_and_capabilities_of_a_resource() {
        database.enrol(1, Map.of("gpu", "V100"));
        database.enrol(2, Map.of());
        database.jdbc.update(
                "UPDATE resource SET region = 'north', zone = 'az' || resource_id WHERE true");
        InventorySnapshot inventory = inventory();

        Map.of(
                        "id", "1",
                        "zone", "az1",
                        "availability_zone", "az1",
                        "name", "host-1",
                        "gpu", "V100")
                .forEach(
                        (name, value) ->
                                assertThat(chosen(inventory, name, value))
                                        .as(name)
                                        .containsExactly(new ResourceId(1)));
        Map.of("region", "north", "reservable", "True", "status", "null", "trust_id", "null")
                .forEach((name, value) -> assertThat(chosen(inventory, name, value)).hasSize(2));
    }

    @Test
    void an_allocation_contains_only_the_name_and_the_capabilities() {
        database.enrol(1, Map.of("gpu", "V100"));

        CachedResource host = inventory().find(new ResourceId(1)).orElseThrow();

        assertThat(host.allocation().properties().keySet())
                .containsExactlyInAnyOrder("name", "gpu", "vcpus", "memory_mb");
    }

    @Test
    void a_kind_without_resources_has_no_property_names() {
        database.enrol(1, Map.of("gpu", "V100"));

        assertThat(inventory().propertyNames(ResourceKind.PHYSICAL_HOST))
                .contains("gpu", "vcpus", "availability_zone", "status")
                .doesNotContain("gpuu");
        assertThat(inventory().propertyNames(ResourceKind.NETWORK)).isEmpty();
    }

    @Test
    void the_matching_ids_are_those_of_the_matching_hosts_in_service() {
        database.enrol(1, Map.of("gpu", "V100"));
        database.enrol(2, Map.of());
        database.enrol(3, Map.of("gpu", "V100"));
        database.enrol(4, Map.of("gpu", "V100"));
        database.disable(4, "fan");
        InventorySnapshot inventory = inventory();

        assertThat(
                        inventory.findMatchingIds(
                                ResourceKind.PHYSICAL_HOST, SampleRequests.having("gpu", "V100")))
                .containsExactlyElementsOf(chosen(inventory, "gpu", "V100"))
                .containsExactly(new ResourceId(1), new ResourceId(3));
        assertThat(inventory.findMatchingIds(ResourceKind.NETWORK, Requirement.none())).isEmpty();
    }

    @Test
    void a_host_without_enough_free_capacity_is_a_candidate_for_a_share() {
        database.withHosts(2);
        Requirement free = new Comparison(Operator.GREATER, "free_vcpus", "1000");
        Demand.Shared share =
                new Demand.Shared(
                        ResourceKind.PHYSICAL_HOST,
                        1,
                        Map.of("VCPU", 1L),
                        free,
                        Demand.Spread.ANYWHERE);
        InventorySnapshot inventory = inventory();

        assertThat(inventory.findCandidateIds(share))
                .containsExactly(new ResourceId(1), new ResourceId(2));
        assertThat(inventory.findMatchingIds(ResourceKind.PHYSICAL_HOST, free)).isEmpty();
    }

    @Test
    void a_host_that_is_too_small_for_one_slot_is_no_candidate_for_a_share() {
        database.withHosts(1);
        database.enrol(2, Map.of("vcpus", "65"));
        Demand.Shared share =
                new Demand.Shared(
                        ResourceKind.PHYSICAL_HOST,
                        1,
                        Map.of("VCPU", 65L, "CUSTOM_NONE", 0L),
                        Requirement.none(),
                        Demand.Spread.ANYWHERE);

        assertThat(inventory().findCandidateIds(share)).containsExactly(new ResourceId(2));
    }

    private InventorySnapshot inventory() {
        return new PostgresInventorySource(database.jdbc)
                .read(new InventorySnapshot(-1, List.of()));
    }

    private static List<ResourceId> chosen(InventorySnapshot inventory, String name, String value) {
        Requirement requirement = new Comparison(Operator.EQUAL, name, value);
        return inventory.findMatching(ResourceKind.PHYSICAL_HOST, requirement).stream()
                .map(CachedResource::id)
                .toList();
    }
}
