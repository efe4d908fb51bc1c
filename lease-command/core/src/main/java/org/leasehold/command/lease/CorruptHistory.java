package org.leasehold.command.lease;

/** Signals stored events of a lease in an impossible order: a defect, never a rejection. */
final class CorruptHistory extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptHistory(String message) {
        super(message);
    }
}
