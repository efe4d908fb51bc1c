package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Groups the stream of events by command, and passes the groups on in the order of decisions. */
final class CommandEventGrouper {

    /** The number of commands to wait for a refusal, stored seconds after its decision. */
    private static final int MAX_WAITING_COMMANDS = 4_096;

    private final Consumer<CommandEvents> sink;
    private final List<RecordedEvent> currentEvents = new ArrayList<>();

    /** The positions of the last refused attempts of the requests that are retried, by stream. */
    private final Map<String, Long> lastAttempts = new HashMap<>();

    private final PriorityQueue<CommandEvents> waiting =
            new PriorityQueue<>(
                    Comparator.comparingLong(CommandEvents::order)
                            .thenComparingLong(CommandEvents::position));

    CommandEventGrouper(Consumer<CommandEvents> sink) {
        this.sink = sink;
    }

    /** Takes the next event. */
    void add(RecordedEvent event) {
        if (!currentEvents.isEmpty() && !isSameCommand(currentEvents.getLast(), event)) {
            closeGroup();
        }
        currentEvents.add(event);
    }

    private static boolean isSameCommand(RecordedEvent before, RecordedEvent event) {
        return before.stream().equals(event.stream())
                && before.decidedAt().equals(event.decidedAt())
                && isOutageEvent(before) == isOutageEvent(event);
    }

    /** Detects reports of outages, which may come at the very instant of another command. */
    private static boolean isOutageEvent(RecordedEvent event) {
        return event.event() instanceof ResourceFailed
                || event.event() instanceof ResourceRecovered;
    }

    private void closeGroup() {
        waiting.add(CommandEvents.of(currentEvents, lastAttempt(currentEvents.getFirst())));
        currentEvents.clear();
        while (waiting.size() > MAX_WAITING_COMMANDS) {
            sink.accept(waiting.remove());
        }
    }

    /** Returns the position of the last refused attempt of the event's lease; 0 without one. */
    private long lastAttempt(RecordedEvent event) {
        Long before =
                event.event() instanceof LeaseRetryScheduled
                        ? lastAttempts.put(event.stream(), event.position())
                        : lastAttempts.remove(event.stream());
        return before == null ? 0 : before;
    }

    /** Ends the stream. */
    void finish() {
        if (!currentEvents.isEmpty()) {
            closeGroup();
        }
        while (!waiting.isEmpty()) {
            sink.accept(waiting.remove());
        }
    }
}
