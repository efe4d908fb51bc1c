package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Splits the stream of events into turns, and passes them on in the order of decisions. */
final class Turns {

    /** The number of turns to wait for a refusal, stored seconds after its decision. */
    private static final int LATEST = 4_096;

    private final Consumer<Turn> sink;
    private final List<RecordedEvent> open = new ArrayList<>();
    private final PriorityQueue<Turn> waiting =
            new PriorityQueue<>(
                    Comparator.comparingLong(Turn::order).thenComparingLong(Turn::position));

    Turns(Consumer<Turn> sink) {
        this.sink = sink;
    }

    /** Takes the next event. */
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

    /** Detects reports of outages, which may come at the very instant of another command. */
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

    /** Ends the stream. */
    void finish() {
        if (!open.isEmpty()) {
            close();
        }
        while (!waiting.isEmpty()) {
            sink.accept(waiting.remove());
        }
    }
}
