package org.leasehold.verifier;

/** An export is not what was sealed and signed; the message says where. */
final class WrongExport extends Exception {

    private static final long serialVersionUID = 1L;

    WrongExport(String message) {
        super(message);
    }
}
