package org.leasehold.command.lease;

/** Signals stored events of a lease in an impossible order: a defect, never a rejection. */
final class CorruptLeaseHistory extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptLeaseHistory(String message) {
        super(message);
    }
}
