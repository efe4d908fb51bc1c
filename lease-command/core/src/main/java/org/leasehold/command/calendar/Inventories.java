package org.leasehold.command.calendar;

import java.util.List;

/**
 * Keeps the inventory in memory. It may be outdated: who relies on it compares its version with the
 * database's, in the same snapshot as whatever else is read.
 */
final class Inventories {

    private final Source source;
    private volatile Inventory latest = new Inventory(-1, List.of());

    Inventories(Source source) {
        this.source = source;
    }

    /** Where the inventory is. */
    @FunctionalInterface
    interface Source {

        /** The inventory as it is; what did not change may be taken from what was known before. */
        Inventory read(Inventory before);
    }

    Inventory latest() {
        return latest;
    }

    Inventory reload() {
        Inventory loaded = source.read(latest);
        latest = loaded;
        return loaded;
    }
}
