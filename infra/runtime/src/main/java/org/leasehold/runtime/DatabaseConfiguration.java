package org.leasehold.runtime;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DatabaseSettings.class)
class DatabaseConfiguration {

    /**
     * Ends what hangs: no reader may ever wait for a transaction for as long as Axon waits for a
     * gap (a minute). A node that stands still in the middle of a transaction has the lock under
     * which all nodes append: it is not waited for as long as for a statement that works.
     */
    private static final String LIMITS =
            "-c statement_timeout=30000 -c lock_timeout=10000"
                    + " -c idle_in_transaction_session_timeout=5000"
                    // Compiling a query of a few milliseconds takes up to a second.
                    + " -c jit=off";

    @Bean
    DatabaseAddress databaseAddress(DatabaseSettings settings) {
        if (!settings.isEmbedded()) {
            return new DatabaseAddress(
                    required(settings.url(), "url"),
                    required(settings.user(), "user"),
                    required(settings.password(), "password"),
                    () -> {});
        }
        EmbeddedDatabase embedded = EmbeddedDatabase.start(settings.folder());
        return new DatabaseAddress(embedded.url(), embedded.user(), "", embedded);
    }

    @Bean
    HikariDataSource dataSource(DatabaseAddress address, DatabaseSettings settings) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("engine");
        pool.setJdbcUrl(address.url());
        pool.setUsername(address.user());
        pool.setPassword(address.password());
        pool.setMaximumPoolSize(settings.connections());
        pool.addDataSourceProperty("ApplicationName", "leasehold");
        pool.addDataSourceProperty("options", LIMITS);
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        pool.setConnectionTimeout(10_000);
        return new HikariDataSource(pool);
    }

    private static String required(@org.jspecify.annotations.Nullable String value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(
                    "With " + DatabaseSettings.PREFIX + ".url there must be a " + name + ", too");
        }
        return value;
    }
}
