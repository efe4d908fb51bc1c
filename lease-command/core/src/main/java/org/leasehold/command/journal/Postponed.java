package org.leasehold.command.journal;

/**
 * Has a command decided again, in a transaction of its own. A refusal names the position at which
 * it was true, and what a group has decided so far has no positions yet.
 */
final class Postponed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Postponed() {
        super("to be decided alone", null, false, false);
    }
}
