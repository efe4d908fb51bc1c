package org.leasehold.command.whatif;

import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;

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
record CommandEvents(long position, long order, Instant at, List<Object> events) {

    CommandEvents {
        events = List.copyOf(events);
    }

    /**
     * Creates a group from the events of one command.
     *
     * @param lastAttempt the position of the last refused attempt of its lease; 0 without one
     */
    static CommandEvents of(List<RecordedEvent> events, long lastAttempt) {
        RecordedEvent first = events.getFirst();
        return new CommandEvents(
                first.position(),
                order(first, lastAttempt),
                first.decidedAt(),
                events.stream().map(RecordedEvent::event).toList());
    }

    /**
     * Returns the sort key. A refusal was found before it was stored, and other commands may have
     * overtaken it. It comes after the events that it used, and before all others. A refusal that
     * repeats an earlier one, because the window can no longer be met, used no events.
     */
    private static long order(RecordedEvent first, long lastAttempt) {
        return switch (first.event()) {
            case LeaseRefused refused when refused.asOf() < lastAttempt -> 2 * first.position() - 1;
            case LeaseRefused refused -> 2 * Math.min(refused.asOf(), first.position() - 1);
            case LeaseRetryScheduled refused -> 2 * Math.min(refused.asOf(), first.position() - 1);
            case LeaseChangeRefused refused -> 2 * Math.min(refused.asOf(), first.position() - 1);
            case Object _ -> 2 * first.position() - 1;
        };
    }

    /** Returns the events of a lease. */
    List<LeaseEvent> leaseEvents() {
        return events.stream().map(LeaseEvent.class::cast).toList();
    }

    /** Returns true if the command was refused. */
    boolean isRefusal() {
        return has(LeaseRefused.class) || has(LeaseChangeRefused.class);
    }

    /** Returns true if the calendar could not hold the request, now or for good. */
    boolean isRequestRefusal() {
        return has(LeaseRefused.class) || has(LeaseRetryScheduled.class);
    }

    <E> Stream<E> eventsOf(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast);
    }

    <E> Optional<E> findFirst(Class<E> type) {
        return eventsOf(type).findFirst();
    }

    boolean has(Class<?> type) {
        return events.stream().anyMatch(type::isInstance);
    }
}
