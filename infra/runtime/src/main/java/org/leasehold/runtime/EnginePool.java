package org.leasehold.runtime;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.leasehold.gateway.limits.ClientThread;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** The connections of a node. Requests leave some of them to the engine's own threads. */
final class EnginePool extends HikariDataSource {

    private final RequestConnections requests;

    /**
     * Creates a pool that connects on demand.
     *
     * @param reserved the connections that requests never get, but no more than half of all
     */
    EnginePool(HikariConfig configuration, int reserved) {
        super(configuration);
        int most = configuration.getMaximumPoolSize();
        this.requests =
                new RequestConnections(
                        most - Math.min(reserved, most / 2),
                        // The other half of the time is for the connection itself.
                        Duration.ofMillis(configuration.getConnectionTimeout() / 2));
    }

    @Override
    public Connection getConnection() throws SQLException {
        return ClientThread.isCurrent()
                ? requests.take(super::getConnection)
                : super.getConnection();
    }

    /** Returns how many requests wait until other requests return a connection. */
    int requestsWaiting() {
        return requests.waiting();
    }
}
