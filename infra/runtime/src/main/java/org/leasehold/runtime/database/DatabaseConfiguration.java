package org.leasehold.runtime.database;

import com.zaxxer.hikari.HikariConfig;

import org.leasehold.postgres.ConnectionParameters;
import org.leasehold.postgres.DataFolder;
import org.leasehold.postgres.EmbeddedPostgres;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DatabaseSettings.class)
class DatabaseConfiguration {

    /**
     * Timeouts of the server. If a node hangs, its open transaction ends before the transactions
     * that wait for its locks time out: they never notice.
     */
    private static final String SESSION_OPTIONS =
            "-c statement_timeout=30000 -c lock_timeout=10000"
                    + " -c idle_in_transaction_session_timeout=5000"
                    // Compiling a query of a few milliseconds takes up to a second.
                    + " -c jit=off";

    /** The longest wait for a connection, in seconds. Then the caller gets an error. */
    private static final int CONNECT_TIMEOUT_SECONDS = 10;

    /**
     * The socket timeout, in seconds. A live server has cancelled the statement before. Without it,
     * the engine would wait forever for a dead server or a network that drops everything.
     */
    private static final int SOCKET_TIMEOUT_SECONDS = 35;

    @Bean
    DatabaseAddress databaseAddress(DatabaseSettings settings, ObjectProvider<DataFolder> held) {
        if (!settings.isEmbedded()) {
            return new DatabaseAddress(
                    required(settings.url(), "url"),
                    required(settings.user(), "user"),
                    required(settings.password(), "password"),
                    () -> {});
        }
        EmbeddedPostgres embedded =
                EmbeddedPostgres.start(
                        // An operator's command holds no data folder yet.
                        held.getIfAvailable(() -> DataFolder.open(settings.folder())),
                        settings.serverConnections(),
                        ProcessShutdown::exitAfterDatabaseFailure);
        ConnectionParameters service = embedded.connectionParameters();
        return new DatabaseAddress(service.url(), service.user(), service.password(), embedded);
    }

    @Bean
    EngineConnectionPool dataSource(DatabaseAddress address, DatabaseSettings settings) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("engine");
        pool.setJdbcUrl(address.url());
        pool.setUsername(address.user());
        pool.setPassword(address.password());
        pool.setMaximumPoolSize(settings.connections());
        pool.addDataSourceProperty("ApplicationName", "leasehold");
        pool.addDataSourceProperty("options", SESSION_OPTIONS);
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        pool.addDataSourceProperty("tcpKeepAlive", "true");
        pool.addDataSourceProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS / 2);
        pool.addDataSourceProperty("loginTimeout", CONNECT_TIMEOUT_SECONDS);
        pool.addDataSourceProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
        pool.setConnectionTimeout(CONNECT_TIMEOUT_SECONDS * 1000L);
        // Several dead connections in a row must not use up all the time for finding a live one.
        pool.setValidationTimeout(2_000);
        return new EngineConnectionPool(pool, settings.reservedConnections());
    }

    /**
     * Replaces Spring Boot's default. If a commit fails, the default rolls back, which fails on a
     * lost connection, and reports that failure instead. The engine would no longer know that the
     * outcome of the commit is open.
     */
    @Bean
    DataSourceTransactionManager transactionManager(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    private static String required(@org.jspecify.annotations.Nullable String value, String name) {
        if (value == null) {
            throw new InvalidSettingException(
                    "With " + DatabaseSettings.PREFIX + ".url there must be a " + name + ", too");
        }
        return value;
    }
}
