package org.leasehold.gateway.request.error;

import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/** Failures that mean that a client has disconnected. */
public final class Disconnects {

    private Disconnects() {}

    /**
     * Returns whether a failure means that. Other broken connections do not count: a lost
     * connection to the database, for example, is a fault that an operator must see.
     */
    public static boolean isDisconnect(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClientAbortException
                    || cause instanceof AsyncRequestNotUsableException) {
                return true;
            }
        }
        return false;
    }
}
