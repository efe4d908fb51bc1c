package org.leasehold.command;

import org.leasehold.calendar.Shortage;

import java.util.List;

/**
 * What became of a command. All three are answers; a fault of the engine is an exception.
 *
 * @param <R> how the command's target rejects
 */
public sealed interface Outcome<R> {

    /**
     * It was done, or there was nothing to do.
     *
     * @param position the event position that includes it
     */
    record Accepted<R>(long position) implements Outcome<R> {}

    /**
     * The calendar cannot hold it; the refusal is kept as an event.
     *
     * @param position the event position that includes the refusal
     */
    record Refused<R>(List<Shortage> shortages, long position) implements Outcome<R> {

        public Refused {
            shortages = List.copyOf(shortages);
        }
    }

    /** It was invalid or forbidden; nothing happened. */
    record Rejected<R>(R rejection) implements Outcome<R> {}
}
