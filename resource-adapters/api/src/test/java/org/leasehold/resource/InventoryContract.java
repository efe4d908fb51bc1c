package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.resource.Acting.Discovery;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The rules for the resources of a kind: their discovery, enrolment and state. */
public abstract class InventoryContract extends PlanningContract {

    @Test
    void a_resource_is_found_under_the_name_in_the_cloud() {
        for (String name : resourceNames()) {
            Discovery discovery = enrolment().discover(name);
            assertThat(discovery).isInstanceOf(Discovery.Found.class);
            Discovery.Found found = (Discovery.Found) discovery;
            assertThat(found.name()).isEqualTo(name);
            assertJson(found.attributes());
        }
    }

    @Test
    void an_unknown_resource_is_not_found() {
        assertThat(enrolment().discover(unknownName())).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void the_discovery_of_a_resource_is_repeatable() {
        String name = resourceNames().getFirst();

        assertThat(enrolment().discover(name)).isEqualTo(enrolment().discover(name));
    }

    /** Returns the resources that an inventory describes; by default none. */
    protected List<String> described() {
        return List.of();
    }

    @Test
    void an_available_resource_has_no_outage() {
        assertThat(inventory(resourceNames()).outages()).isEmpty();
    }

    @Test
    void the_inventory_matches_the_discovery_of_enrolled_resources() {
        Map<String, Discovery> discovered = new HashMap<>();
        described().forEach(name -> discovered.put(name, enrolment().discover(name)));
        enrolled();

        assertThat(inventory(resourceNames()).found()).isEqualTo(discovered);
        assertThat(inventory(List.of()).found()).isEmpty();
    }

    private InventoryResult.Known inventory(List<String> names) {
        InventoryResult inventory = acting().inventory(names);
        assertThat(inventory).isInstanceOf(InventoryResult.Known.class);
        return (InventoryResult.Known) inventory;
    }

    /** A kind without default leases passes. */
    @Test
    void a_listing_for_default_leases_has_each_object_of_the_kind_once() {
        plugin().defaultLeaseSource().ifPresent(this::assertListsEachObjectOnce);
    }

    private void assertListsEachObjectOnce(DefaultLeaseSource source) {
        complete();
        DefaultLeaseSource.Listing listing = source.findLeasableObjects();
        assertThat(listing).isInstanceOf(DefaultLeaseSource.Listing.All.class);
        List<LeasableObject> objects = ((DefaultLeaseSource.Listing.All) listing).objects();
        assertThat(objects)
                .isNotEmpty()
                .allMatch(object -> object.kind().equals(plugin().kind()))
                .extracting(LeasableObject::id)
                .doesNotHaveDuplicates();
        LeasableObject first = objects.getFirst();
        assertThat(source.check(first.id(), first.project()))
                .isEqualTo(DefaultLeaseSource.Presence.PRESENT);
        assertThat(source.check(UUID.randomUUID().toString(), first.project()))
                .isEqualTo(DefaultLeaseSource.Presence.DELETED);
    }

    @Test
    void enrolling_and_retiring_may_be_repeated() {
        String name = resourceNames().getFirst();
        ResourceId id = new ResourceId(1);

        assertDone(enrolment().enrol(id, name));
        assertDone(enrolment().enrol(id, name));
        assertDone(enrolment().retire(id, name));
        assertDone(enrolment().retire(id, name));
        assertDone(enrolment().enrol(id, name));
    }
}
