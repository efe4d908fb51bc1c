package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;

import java.util.List;

/** All that happened, for tests that have it in memory. */
public final class WholePast {

    private WholePast() {}

    /** Tells what happened before deciding begins, and what is decided once more. */
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
