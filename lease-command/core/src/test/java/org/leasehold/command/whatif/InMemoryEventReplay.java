package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;

import java.util.List;

/** The complete events, for tests that have them in memory. */
public final class InMemoryEventReplay {

    private InMemoryEventReplay() {}

    /** Applies the events before the first decision, and those that are decided again. */
    public static void replay(List<RecordedEvent> events, ScenarioComparison worlds) {
        int before =
                (int)
                        events.stream()
                                .takeWhile(
                                        event ->
                                                event.decidedAt()
                                                        .isBefore(worlds.firstDecisionTime()))
                                .count();
        worlds.applyPrior(events.subList(0, before));
        worlds.replay(events.subList(before, events.size()));
    }
}
