package org.leasehold.runtime.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.leasehold.gateway.limits.ClientThreadMarker;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** The connections of a node. Requests leave some of them to the engine's own threads. */
public final class EngineConnectionPool extends HikariDataSource {

    private final RequestConnectionLimit requestLimit;

    /**
     * Creates a pool that connects on demand.
     *
     * @param reserved the connections that requests never get, but no more than half of all
     */
    EngineConnectionPool(HikariConfig configuration, int reserved) {
        super(configuration);
        int poolSize = configuration.getMaximumPoolSize();
        this.requestLimit =
                new RequestConnectionLimit(
                        poolSize - Math.min(reserved, poolSize / 2),
                        // The other half of the time is for the connection itself.
                        Duration.ofMillis(configuration.getConnectionTimeout() / 2));
    }

    @Override
    public Connection getConnection() throws SQLException {
        return ClientThreadMarker.isClientThread()
                ? requestLimit.acquireConnection(super::getConnection)
                : super.getConnection();
    }

    /** Returns how many requests wait until other requests return a connection. */
    public int countWaitingRequests() {
        return requestLimit.countWaiting();
    }
}
