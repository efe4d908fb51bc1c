package org.leasehold.command.calendar;

/** An error: concurrent commands took the chosen resources; decide again in a new transaction. */
public final class CalendarContention extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CalendarContention(String message) {
        super(message);
    }

    public static CalendarContention lostRace() {
        return new CalendarContention("another command was faster");
    }
}
