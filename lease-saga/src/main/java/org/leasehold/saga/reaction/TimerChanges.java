package org.leasehold.saga.reaction;

import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What becomes of timers in one transaction: the last word on each key counts. */
final class TimerChanges {

    private final Map<String, Timer> set = new LinkedHashMap<>();
    private final Set<String> cancelled = new LinkedHashSet<>();

    void set(Timer timer) {
        cancelled.remove(timer.key());
        set.put(timer.key(), timer);
    }

    void cancel(String key) {
        set.remove(key);
        cancelled.add(key);
    }

    void store(Timers timers) {
        if (!cancelled.isEmpty()) {
            timers.cancel(List.copyOf(cancelled));
        }
        if (!set.isEmpty()) {
            timers.set(List.copyOf(set.values()));
        }
    }
}
