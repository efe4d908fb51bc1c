package org.leasehold.gateway.limits;

import java.io.Serial;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/** An error: other long reads use all connections that long reads may have. */
public final class LongReadLimitException extends SQLTransientConnectionException {

    @Serial private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for a request that got no connection.
     *
     * @param waited how long the request waited
     */
    public LongReadLimitException(Duration waited) {
        super(
                "Other long reads have had all their connections for %s s"
                        .formatted(waited.toSeconds()));
    }
}
