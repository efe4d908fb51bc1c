package org.leasehold.command.calendar.inventory;

import java.util.List;

/**
 * Keeps the inventory in memory. It may be outdated: users compare its version with the database's,
 * in the snapshot of their other data.
 */
public final class InventoryCache {

    private final Source source;
    private volatile InventorySnapshot latest = new InventorySnapshot(-1, List.of());

    public InventoryCache(Source source) {
        this.source = source;
    }

    /** A source of the inventory. */
    @FunctionalInterface
    public interface Source {

        /** Returns the current inventory; unchanged parts may be taken from the one before. */
        InventorySnapshot read(InventorySnapshot before);
    }

    public InventorySnapshot latest() {
        return latest;
    }

    /** Returns the inventory; reads it from the source unless it has this version already. */
    public InventorySnapshot ofVersion(long version) {
        InventorySnapshot cached = latest;
        return cached.version() == version ? cached : reload();
    }

    public InventorySnapshot reload() {
        InventorySnapshot loaded = source.read(latest);
        latest = loaded;
        return loaded;
    }
}
