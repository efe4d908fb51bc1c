package org.leasehold.command.lease;

/**
 * The stored events of a lease cannot have happened in their order: a defect, never a rejection.
 */
final class CorruptHistory extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptHistory(String message) {
        super(message);
    }
}
