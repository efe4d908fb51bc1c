package org.leasehold.command;

import org.leasehold.calendar.Shortage;
import org.leasehold.vocabulary.StoredName;

import java.util.List;

/**
 * The outcome of a command. All three are answers; a fault of the engine is an exception.
 *
 * @param <R> the rejection type of the command's target
 */
public sealed interface Outcome<R> {

    /**
     * The command was executed, or there was nothing to do.
     *
     * @param position the event position that includes it
     */
    @StoredName("Accepted")
    record Accepted<R>(long position) implements Outcome<R> {}

    /**
     * The calendar cannot hold the request; an event stores the refusal.
     *
     * @param position the event position that includes the refusal
     */
    @StoredName("Refused")
    record Refused<R>(List<Shortage> shortages, long position) implements Outcome<R> {

        public Refused {
            shortages = List.copyOf(shortages);
        }
    }

    /** The command was invalid or forbidden; nothing happened. */
    @StoredName("Rejected")
    record Rejected<R>(R rejection) implements Outcome<R> {}
}
