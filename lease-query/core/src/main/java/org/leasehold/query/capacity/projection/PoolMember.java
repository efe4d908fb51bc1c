package org.leasehold.query.capacity.projection;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.ResourceCapacity;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state of a resource from one event until another.
 *
 * @param reservable whether it is in service
 * @param totals its amount of each resource class
 * @param ends null if it has not ended
 * @param from the position of the event since which that is known
 * @param to the position of the event that ended it; null if it has not ended
 */
record PoolMember(
        ResourceId resource,
        CapacityPool pool,
        boolean reservable,
        Map<String, Long> totals,
        Instant starts,
        @Nullable Instant ends,
        long from,
        @Nullable Long to) {

    /** The attributes that distinguish models of resources; the rest differs for each resource. */
    private static final Set<String> SIZE_ATTRIBUTES = Set.of("vcpus", "memory_mb", "local_gb");

    /**
     * Returns all states of one resource, in order, from its events, of which the first enrols it.
     */
    static List<PoolMember> of(List<RecordedEvent> life) {
        List<PoolMember> members = new ArrayList<>();
        Now now = null;
        Instant at = Instant.MIN;
        for (RecordedEvent recorded : life) {
            // The precision of the database. Clocks of two nodes may differ: nothing ends before it
            // began.
            Instant decided = recorded.decidedAt().truncatedTo(ChronoUnit.MICROS);
            at = decided.isBefore(at) ? at : decided;
            PoolMember open = now == null ? null : members.getLast();
            now = next(now, (ResourceEvent) recorded.event());
            PoolMember next = now == null ? null : now.toMember(at, recorded.position());
            if (open != null && next != null && open.hasSameProperties(next)) {
                continue;
            }
            if (open != null) {
                members.add(members.removeLast().endedAt(at, recorded.position()));
            }
            if (next != null) {
                members.add(next);
            }
        }
        return members;
    }

    /** Returns whether all relevant properties are equal. */
    private boolean hasSameProperties(PoolMember other) {
        return pool.equals(other.pool)
                && reservable == other.reservable
                && totals.equals(other.totals);
    }

    private PoolMember endedAt(Instant at, long position) {
        return new PoolMember(resource, pool, reservable, totals, starts, at, from, position);
    }

    private static @Nullable Now next(@Nullable Now now, ResourceEvent event) {
        if (event instanceof ResourceEnrolled enrolled) {
            return new Now(
                    enrolled.resourceId(),
                    enrolled.kind(),
                    enrolled.region(),
                    enrolled.zone(),
                    true,
                    texts(enrolled.attributes()),
                    enrolled.capabilities());
        }
        if (now == null) {
            throw new IllegalStateException("there is no resource before " + event);
        }
        return switch (event) {
            case ResourceEnrolled _ -> now;
            case ResourceChanged changed -> now.with(changed);
            case ResourceDescribed described -> now.with(described);
            case ResourceDisabled _ -> now.withReservable(false);
            case ResourceEnabled _ -> now.withReservable(true);
            case ResourceRetired _ -> null;
        };
    }

    private static Map<String, String> texts(Map<String, @Nullable Object> attributes) {
        Map<String, String> texts = new TreeMap<>();
        attributes.forEach(
                (name, value) -> {
                    if (value != null) {
                        texts.put(name, value.toString());
                    }
                });
        return texts;
    }

    /** A resource after an event. */
    private record Now(
            ResourceId resource,
            ResourceKind kind,
            @Nullable String region,
            @Nullable String zone,
            boolean reservable,
            Map<String, String> attributes,
            Map<String, String> capabilities) {

        Now with(ResourceChanged change) {
            Map<String, String> changed = new TreeMap<>(capabilities);
            changed.putAll(change.set());
            changed.keySet().removeAll(change.removed());
            return new Now(resource, kind, region, zone, reservable, attributes, changed);
        }

        Now with(ResourceDescribed news) {
            return new Now(
                    resource,
                    kind,
                    news.region(),
                    news.zone(),
                    reservable,
                    texts(news.attributes()),
                    capabilities);
        }

        Now withReservable(boolean is) {
            return new Now(resource, kind, region, zone, is, attributes, capabilities);
        }

        PoolMember toMember(Instant at, long position) {
            Map<String, String> all = new HashMap<>(attributes);
            all.putAll(capabilities);
            Map<String, String> alike = new TreeMap<>(all);
            alike.keySet()
                    .removeIf(
                            name ->
                                    !SIZE_ATTRIBUTES.contains(name)
                                            && !capabilities.containsKey(name));
            Map<String, Long> totals = new TreeMap<>();
            for (String name : all.keySet()) {
                String resourceClass = ResourceCapacity.resourceClassOf(name);
                long total = ResourceCapacity.of(all, resourceClass);
                if (total > 0) {
                    totals.put(resourceClass, total);
                }
            }
            return new PoolMember(
                    resource,
                    new CapacityPool(kind, region, zone, alike),
                    reservable,
                    totals,
                    at,
                    null,
                    position,
                    null);
        }
    }
}
