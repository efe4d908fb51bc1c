package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;

import java.util.List;

/** The complete events, for tests that have them in memory. */
public final class WholePast {

    private WholePast() {}

    /** Passes on the events before the first decision, and those that are decided again. */
    public static void tell(List<RecordedEvent> events, SideBySide worlds) {
        int before =
                (int)
                        events.stream()
                                .takeWhile(event -> event.decidedAt().isBefore(worlds.begins()))
                                .count();
        worlds.happenedBefore(events.subList(0, before));
        worlds.take(events.subList(before, events.size()));
    }
}
