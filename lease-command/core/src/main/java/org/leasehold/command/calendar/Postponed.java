package org.leasehold.command.calendar;

/**
 * Has a command decided again, in a transaction of its own. A refusal, or a grant of less than is
 * wanted, is true at a position, and what a group has decided so far has no positions yet.
 */
public final class Postponed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Postponed() {
        super("to be decided alone", null, false, false);
    }
}
