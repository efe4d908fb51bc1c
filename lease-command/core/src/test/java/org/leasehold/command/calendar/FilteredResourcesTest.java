package org.leasehold.command.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.util.List;
import java.util.Map;

class FilteredResourcesTest {

    private final CalendarDatabase database = new CalendarDatabase();

    @Test
    void a_resource_is_chosen_by_all_that_an_api_shows_of_it() {
        database.enrol(1, Map.of("gpu", "V100"));
        database.enrol(2, Map.of());
        database.jdbc.update(
                "UPDATE resource SET region = 'north', zone = 'az' || resource_id WHERE true");
        Inventory inventory = inventory();

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
    void what_is_granted_tells_no_more_than_before() {
        database.enrol(1, Map.of("gpu", "V100"));

        KnownResource host = inventory().find(new ResourceId(1)).orElseThrow();

        assertThat(host.allocation().properties().keySet())
                .containsExactlyInAnyOrder("name", "gpu", "vcpus", "memory_mb");
    }

    @Test
    void a_kind_without_resources_has_no_names() {
        database.enrol(1, Map.of("gpu", "V100"));

        assertThat(inventory().propertyNames(ResourceKind.PHYSICAL_HOST))
                .contains("gpu", "vcpus", "availability_zone", "status")
                .doesNotContain("gpuu");
        assertThat(inventory().propertyNames(ResourceKind.NETWORK)).isEmpty();
    }

    private Inventory inventory() {
        return new PostgresResources(database.jdbc).read(new Inventory(-1, List.of()));
    }

    private static List<ResourceId> chosen(Inventory inventory, String name, String value) {
        Requirement requirement = new Comparison(Operator.EQUAL, name, value);
        return inventory.matching(ResourceKind.PHYSICAL_HOST, requirement).stream()
                .map(KnownResource::id)
                .toList();
    }
}
