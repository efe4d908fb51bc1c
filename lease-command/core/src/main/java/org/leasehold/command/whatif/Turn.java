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
 * What one command came to.
 *
 * @param position of its first event
 * @param order the turns were decided in the order of this
 */
record Turn(long position, long order, Instant at, List<Object> events) {

    Turn {
        events = List.copyOf(events);
    }

    /** Takes the events of one command. */
    static Turn of(List<RecordedEvent> events) {
        RecordedEvent first = events.getFirst();
        return new Turn(
                first.position(),
                order(first),
                first.decidedAt(),
                events.stream().map(RecordedEvent::event).toList());
    }

    /**
     * A refusal was found out before it was stored, and others may have been faster meanwhile: it
     * comes after what it knew of, and before all else.
     */
    private static long order(RecordedEvent first) {
        return switch (first.event()) {
            case LeaseRefused refused -> 2 * Math.min(refused.asOf(), first.position() - 1);
            case LeaseChangeRefused refused -> 2 * Math.min(refused.asOf(), first.position() - 1);
            case Object _ -> 2 * first.position() - 1;
        };
    }

    /** Those of a lease. */
    List<LeaseEvent> ofLease() {
        return events.stream().map(LeaseEvent.class::cast).toList();
    }

    /** Whether somebody asked in vain. */
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
