package org.leasehold.runtime.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.limits.ClientThreadMarker;
import org.leasehold.gateway.limits.LongReadLimitException;
import org.springframework.jdbc.datasource.AbstractDataSource;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tests that requests share some connections and leave the others to the engine. */
class EngineConnectionPoolTest {

    private static final int CONNECTIONS = 4;
    private static final int RESERVED = 2;

    /** The shortest timeout that a pool accepts. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private final EngineConnectionPool pool = pool(RESERVED);
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

    private static EngineConnectionPool pool(int reserved) {
        HikariConfig configuration = new HikariConfig();
        configuration.setDataSource(new Database());
        configuration.setMaximumPoolSize(CONNECTIONS);
        configuration.setConnectionTimeout(PATIENCE.toMillis());
        return new EngineConnectionPool(configuration, reserved);
    }

    /** Connections that do nothing. */
    private static final class Database extends AbstractDataSource {

        @Override
        public Connection getConnection() {
            return (Connection)
                    Proxy.newProxyInstance(
                            Database.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (self, method, arguments) ->
                                    switch (method.getName()) {
                                        case "isValid", "getAutoCommit" -> true;
                                        case "equals" -> self == arguments[0];
                                        case "isReadOnly", "isClosed" -> false;
                                        case "hashCode",
                                                "getTransactionIsolation",
                                                "getNetworkTimeout" ->
                                                0;
                                        default -> null;
                                    });
        }

        @Override
        public Connection getConnection(String user, String password) {
            return getConnection();
        }
    }

    @AfterEach
    void close() {
        clients.close();
        pool.close();
    }

    private static Connection asClient(EngineConnectionPool pool) throws SQLException {
        try (ClientThreadMarker.Mark _ = ClientThreadMarker.mark()) {
            return pool.getConnection();
        }
    }

    /** Runs work in its own thread, as a request does. */
    private <T> T request(Callable<T> work) throws Exception {
        try {
            return clients.submit(work).get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    @Test
    void requests_leave_connections_to_the_engines_own_threads() throws Exception {
        for (int i = 0; i < CONNECTIONS - RESERVED; i++) {
            Connection _ = request(() -> asClient(pool));
        }

        assertThatThrownBy(() -> request(() -> asClient(pool)))
                .isInstanceOf(SQLTransientConnectionException.class);

        for (int i = 0; i < RESERVED; i++) {
            assertThat(pool.getConnection()).isNotNull();
        }
        assertThat(pool.countWaitingRequests()).isZero();
    }

    @Test
    void a_returned_connection_is_available_to_one_other_request() throws Exception {
        Connection first = request(() -> asClient(pool));
        Connection _ = request(() -> asClient(pool));

        first.close();
        first.close();

        assertThat(request(() -> asClient(pool))).isNotNull();
        assertThatThrownBy(() -> request(() -> asClient(pool)))
                .isInstanceOf(SQLTransientConnectionException.class);
    }

    @Test
    void a_request_with_a_connection_gets_another_one_beyond_the_limit() throws Exception {
        Connection _ = request(() -> asClient(pool));
        boolean both =
                request(
                        () -> {
                            try (Connection outer = asClient(pool);
                                    Connection inner = asClient(pool)) {
                                return !outer.equals(inner);
                            }
                        });

        assertThat(both).isTrue();
        assertThat(request(() -> asClient(pool))).isNotNull();
    }

    @Test
    void long_reads_leave_half_of_the_connections_to_other_requests() throws Exception {
        Connection first = request(() -> asLongRead(pool));

        assertThatThrownBy(() -> request(() -> asLongRead(pool)))
                .isInstanceOf(LongReadLimitException.class);
        assertThat(request(() -> asClient(pool))).isNotNull();

        first.close();
        assertThat(request(() -> asLongRead(pool))).isNotNull();
    }

    @Test
    void a_long_read_that_times_out_does_not_count_toward_the_limit() throws Exception {
        Connection first = request(() -> asClient(pool));
        Connection second = request(() -> asClient(pool));

        assertThatThrownBy(() -> request(() -> asLongRead(pool)))
                .isInstanceOf(SQLTransientConnectionException.class)
                .isNotInstanceOf(LongReadLimitException.class);

        first.close();
        second.close();
        assertThat(request(() -> asLongRead(pool))).isNotNull();
    }

    private static Connection asLongRead(EngineConnectionPool pool) throws SQLException {
        try (ClientThreadMarker.Mark _ = ClientThreadMarker.mark()) {
            ClientThreadMarker.markLongRead();
            return pool.getConnection();
        }
    }

    @Test
    void requests_have_half_of_a_small_pool() throws Exception {
        try (EngineConnectionPool small = pool(100)) {
            for (int i = 0; i < CONNECTIONS / 2; i++) {
                Connection _ = request(() -> asClient(small));
            }
            assertThatThrownBy(() -> request(() -> asClient(small)))
                    .isInstanceOf(SQLTransientConnectionException.class);
        }
    }
}
