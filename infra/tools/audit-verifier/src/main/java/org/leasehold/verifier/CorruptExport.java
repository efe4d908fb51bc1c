package org.leasehold.verifier;

/** An export that differs from the sealed and signed events; the message says where. */
final class CorruptExport extends Exception {

    private static final long serialVersionUID = 1L;

    CorruptExport(String message) {
        super(message);
    }
}
