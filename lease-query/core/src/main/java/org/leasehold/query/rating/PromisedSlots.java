package org.leasehold.query.rating;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.account.AccountEntry;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The promised slots of a reservation by kind of resources, in total. */
final class PromisedSlots {

    private final Map<ResourceKind, NavigableMap<Instant, Integer>> slots = new HashMap<>();

    private PromisedSlots() {}

    static PromisedSlots of(List<AccountEntry> entries, Function<ResourceId, ResourceKind> kindOf) {
        PromisedSlots amounts = new PromisedSlots();
        for (AccountEntry entry : entries) {
            NavigableMap<Instant, Integer> changes =
                    amounts.slots.computeIfAbsent(
                            kindOf.apply(entry.resource()), _ -> new TreeMap<>());
            changes.merge(entry.starts(), entry.slots(), Integer::sum);
            changes.merge(entry.ends(), -entry.slots(), Integer::sum);
        }
        for (NavigableMap<Instant, Integer> changes : amounts.slots.values()) {
            int sum = 0;
            for (Map.Entry<Instant, Integer> change : changes.entrySet()) {
                sum += change.getValue();
                change.setValue(sum);
            }
        }
        return amounts;
    }

    int at(ResourceKind kind, Instant instant) {
        NavigableMap<Instant, Integer> ofKind = slots.get(kind);
        Map.Entry<Instant, Integer> last = ofKind == null ? null : ofKind.floorEntry(instant);
        return last == null ? 0 : last.getValue();
    }

    NavigableSet<Instant> changes() {
        NavigableSet<Instant> changes = new TreeSet<>();
        slots.values().forEach(ofKind -> changes.addAll(ofKind.keySet()));
        return changes;
    }
}
