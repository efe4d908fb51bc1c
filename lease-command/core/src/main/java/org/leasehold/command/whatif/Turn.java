package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The events of one command.
 *
 * @param position the position of its first event
 * @param order the sort key in the order of decisions
 */
record Turn(long position, long order, Instant at, List<Object> events) {

    Turn {
        events = List.copyOf(events);
    }

    /** Creates a turn from the events of one command. */
    static Turn of(List<RecordedEvent> events) {
        RecordedEvent first = events.getFirst();
        return new Turn(
                first.position(),
                order(first),
                first.decidedAt(),
                events.stream().map(RecordedEvent::event).toList());
    }

    /**
     * Returns the sort key. A refusal was found before it was stored, and other commands may have
     * overtaken it. It comes after the events that it used, and before all others.
     */
    private static long order(RecordedEvent first) {
        return switch (first.event()) {
            case LeaseRefused refused -> 2 * Math.min(refused.asOf(), first.position() - 1);
            case LeaseChangeRefused refused -> 2 * Math.min(refused.asOf(), first.position() - 1);
            case Object _ -> 2 * first.position() - 1;
        };
    }

    /** Returns the events of a lease. */
    List<LeaseEvent> ofLease() {
        return events.stream().map(LeaseEvent.class::cast).toList();
    }

    /** Returns true if the turn is a refusal. */
    boolean isRefusal() {
        return has(LeaseRefused.class) || has(LeaseChangeRefused.class);
    }

    <E> Stream<E> all(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast);
    }

    <E> Optional<E> first(Class<E> type) {
        return all(type).findFirst();
    }

    boolean has(Class<?> type) {
        return events.stream().anyMatch(type::isInstance);
    }
}
