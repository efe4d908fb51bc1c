package org.leasehold.command.calendar;

/** Concurrent commands took what was about to be granted: decide again in a new transaction. */
public final class CalendarContention extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CalendarContention(String message) {
        super(message);
    }
}
