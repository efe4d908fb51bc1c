package org.leasehold.command;

/**
 * Signals that a command was not decided in time: it lost its last retry to concurrent ones, or
 * waited too long. Nothing changed; try later.
 */
public final class ContentionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ContentionException(String message, Throwable cause) {
        super(message, cause);
    }

    public ContentionException(String message) {
        super(message);
    }
}
