package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.RequestedFilters.WISHES;

import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.query.booking.RandomLeases;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Appends random leases, hosts, observations and refusals. */
final class RandomCapacityEvents {

    private final CapacityTablesFixture tables;

    RandomCapacityEvents(CapacityTablesFixture tables) {
        this.tables = tables;
    }

    /** Appends random leases and hosts; sometimes a host fails, gets other properties, or moves. */
    void live(SplittableRandom random, int events) {
        tables.label(1, "ssd", "yes");
        List<String> filters = WISHES.keySet().stream().sorted().toList();
        SplittableRandom others = random.split();
        Map<Long, Boolean> retired = new TreeMap<>();
        new RandomLeases(tables.journal, random, tables::follow)
                .with(
                        minute -> {
                            if (others.nextInt(4) == 0) {
                                tables.refuse(
                                        minute,
                                        1000 + minute,
                                        filters.get(others.nextInt(filters.size())),
                                        1 + others.nextInt(3),
                                        minute + 10,
                                        minute + 60);
                            }
                            if (others.nextInt(2) == 0) {
                                see(others, minute);
                            }
                            long number = 1L + others.nextInt(RandomLeases.HOSTS);
                            if (others.nextInt(4) == 0 && !retired.containsKey(number)) {
                                ResourceEvent event = happening(others, new ResourceId(number));
                                tables.journal.happen(minute, event);
                                if (event instanceof ResourceRetired) {
                                    retired.put(number, true);
                                }
                            }
                        })
                .live(events);
    }

    /** Observes a use, sometimes by a clock that is behind. */
    private void see(SplittableRandom random, long minute) {
        tables.journal.see(
                minute - (random.nextInt(4) == 0 ? random.nextInt(30) : 0),
                random.nextLong(1, RandomLeases.LEASES + 1L),
                random.nextLong(1, 3),
                random.nextLong(1, RandomLeases.HOSTS + 1L),
                random.nextInt(2),
                8);
    }

    private static ResourceEvent happening(SplittableRandom random, ResourceId resource) {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> new ResourceDisabled(resource, "it is broken", List.of());
            case 3, 4, 5 -> new ResourceEnabled(resource);
            case 6, 7 -> new ResourceChanged(resource, Map.of("gpu", "A100"), Set.of());
            case 8 -> new ResourceChanged(resource, Map.of(), Set.of("gpu"));
            case 9 -> new ResourceDescribed(resource, null, "east", Map.of("vcpus", 20), List.of());
            case 10 ->
                    new ResourceDescribed(resource, null, null, Map.of("vcpus", "20"), List.of());
            default ->
                    resource.value() == 4
                            ? new ResourceRetired(resource)
                            : new ResourceEnabled(resource);
        };
    }
}
