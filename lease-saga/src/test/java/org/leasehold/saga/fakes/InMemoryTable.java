package org.leasehold.saga.fakes;

import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Rows by key, for a single thread. A unit of work that rolls back also restores its rows. */
public final class InMemoryTable<V> {

    private final TreeMap<String, V> rows = new TreeMap<>();
    private long writes;

    public Optional<V> find(String key) {
        return Optional.ofNullable(rows.get(key));
    }

    public List<V> all() {
        return List.copyOf(rows.values());
    }

    /** Returns the number of writes: an unchanged number means unchanged rows. */
    public long writes() {
        return writes;
    }

    public void put(String key, V row) {
        V before = rows.put(key, row);
        onRollback(key, before);
    }

    public void remove(String key) {
        V before = rows.remove(key);
        onRollback(key, before);
    }

    public void removeIf(Predicate<V> condition) {
        List.copyOf(rows.entrySet()).stream()
                .filter(entry -> condition.test(entry.getValue()))
                .forEach(entry -> remove(entry.getKey()));
    }

    private void onRollback(String key, @Nullable V before) {
        writes++;
        CurrentUnitOfWork.ifStarted(
                unit ->
                        unit.onRollback(
                                _ -> {
                                    writes++;
                                    if (before == null) {
                                        rows.remove(key);
                                    } else {
                                        rows.put(key, before);
                                    }
                                }));
    }
}
