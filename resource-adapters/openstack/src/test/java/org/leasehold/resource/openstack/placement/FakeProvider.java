package org.leasehold.resource.openstack.placement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Placement's data of a provider. */
public final class FakeProvider {
    final String id;
    final String name;
    final String parent;
    long generation;

    /** The number of changes of the inventories, without those of allocations. */
    int inventoryChanges;

    final TreeSet<String> traits = new TreeSet<>();
    final Map<String, Stock> stocks = new TreeMap<>();

    FakeProvider(String id, String name, String parent) {
        this.id = id;
        this.name = name;
        this.parent = parent;
    }

    public String id() {
        return id;
    }

    public List<String> traits() {
        return List.copyOf(traits);
    }

    /** Returns its total of each class. */
    public Map<String, Long> totals() {
        Map<String, Long> totals = new TreeMap<>();
        stocks.forEach((name, stock) -> totals.put(name, stock.total));
        return totals;
    }

    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("uuid", id);
        shown.put("name", name);
        shown.put("generation", generation);
        shown.put("parent_provider_uuid", parent);
        return shown;
    }

    Map<String, Object> shownStocks() {
        Map<String, Object> shown = new TreeMap<>();
        stocks.forEach((name, stock) -> shown.put(name, stock.shown()));
        return shown;
    }

    static final class Stock {
        long total;
        long reserved;
        long used;
        long leaving;

        Map<String, Object> shown() {
            return Map.of("total", total, "reserved", reserved, "max_unit", 1);
        }
    }
}
