package org.leasehold.command;

/** A command lost against concurrent ones as often as it may: nothing happened, later may help. */
public final class ContentionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ContentionException(String message, Throwable cause) {
        super(message, cause);
    }
}
