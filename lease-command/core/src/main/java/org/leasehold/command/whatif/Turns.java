package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Cuts the stream of events into turns, and tells them in the order in which they were decided. */
final class Turns {

    /** A refusal is stored seconds after it was found out, if not at once. */
    private static final int LATEST = 4_096;

    private final Consumer<Turn> sink;
    private final List<RecordedEvent> open = new ArrayList<>();
    private final PriorityQueue<Turn> waiting =
            new PriorityQueue<>(
                    Comparator.comparingLong(Turn::order).thenComparingLong(Turn::position));

    Turns(Consumer<Turn> sink) {
        this.sink = sink;
    }

    /** Takes in the next event. */
    void take(RecordedEvent event) {
        if (!open.isEmpty() && !isOfOneCommand(open.getLast(), event)) {
            close();
        }
        open.add(event);
    }

    private static boolean isOfOneCommand(RecordedEvent before, RecordedEvent event) {
        return before.stream().equals(event.stream())
                && before.decidedAt().equals(event.decidedAt())
                && isOfOutage(before) == isOfOutage(event);
    }

    /** It comes when the cloud says so, be it at the very instant of something else. */
    private static boolean isOfOutage(RecordedEvent event) {
        return event.event() instanceof ResourceFailed
                || event.event() instanceof ResourceRecovered;
    }

    private void close() {
        waiting.add(Turn.of(open));
        open.clear();
        while (waiting.size() > LATEST) {
            sink.accept(waiting.remove());
        }
    }

    /** There are no more. */
    void finish() {
        if (!open.isEmpty()) {
            close();
        }
        while (!waiting.isEmpty()) {
            sink.accept(waiting.remove());
        }
    }
}
