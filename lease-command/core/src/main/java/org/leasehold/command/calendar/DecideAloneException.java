package org.leasehold.command.calendar;

/**
 * Makes the engine decide a command again, in its own transaction. A refusal, or a grant of less
 * than requested, is true at a position, and the earlier decisions of a group have no positions
 * yet.
 */
public final class DecideAloneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DecideAloneException() {
        super("to be decided alone", null, false, false);
    }
}
