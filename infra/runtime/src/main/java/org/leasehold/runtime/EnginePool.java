package org.leasehold.runtime;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.leasehold.gateway.limits.ClientThread;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** The connections of a node, of which requests leave some to the engine's own threads. */
final class EnginePool extends HikariDataSource {

    private final RequestConnections requests;

    /**
     * A pool that connects when it is asked.
     *
     * @param reserved so many connections requests never have, but no more than half of them
     */
    EnginePool(HikariConfig configuration, int reserved) {
        super(configuration);
        int most = configuration.getMaximumPoolSize();
        this.requests =
                new RequestConnections(
                        most - Math.min(reserved, most / 2),
                        // The other half of the time is left for the connection itself.
                        Duration.ofMillis(configuration.getConnectionTimeout() / 2));
    }

    @Override
    public Connection getConnection() throws SQLException {
        return ClientThread.isCurrent()
                ? requests.take(super::getConnection)
                : super.getConnection();
    }

    /** How many requests wait until others of them give a connection back. */
    int requestsWaiting() {
        return requests.waiting();
    }
}
