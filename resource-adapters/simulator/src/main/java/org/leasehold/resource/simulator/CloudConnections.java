package org.leasehold.resource.simulator;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;

/** The simulated cloud's own connections to its own schema. The engine shares no transaction. */
public final class CloudConnections implements AutoCloseable {

    private static final int MAX_POOL_SIZE = 8;
    private static final long TIMEOUT_MS = 5_000;

    /** Timeouts that roll back the work of a suspended process, so that others need not wait. */
    private static final String TIMEOUT_OPTIONS =
            "-c statement_timeout=%1$s -c idle_in_transaction_session_timeout=%1$s"
                    .formatted(TIMEOUT_MS);

    private final HikariDataSource pool;
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    public CloudConnections(String url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("simulated-cloud");
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(MAX_POOL_SIZE);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(TIMEOUT_MS);
        // In seconds; for a server that does not even report its own timeout.
        config.addDataSourceProperty("socketTimeout", 2 * TIMEOUT_MS / 1_000);
        config.addDataSourceProperty(
                "options", "-c search_path=simulated_cloud " + TIMEOUT_OPTIONS);
        this.pool = new HikariDataSource(config);
        this.jdbc = JdbcClient.create(pool);
        this.transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    public JdbcClient jdbc() {
        return jdbc;
    }

    public <T> T inTransaction(Supplier<T> work) {
        return Objects.requireNonNull(transaction.execute(status -> work.get()));
    }

    public void runInTransaction(Runnable work) {
        transaction.executeWithoutResult(status -> work.run());
    }

    /**
     * Creates the tables and, in an empty cloud, the hosts. Several nodes may do so at once. A
     * standby database gets them from its primary.
     */
    public void createCloud(int hosts) {
        if (jdbc.sql("SELECT pg_is_in_recovery()").query(Boolean.class).single()) {
            return;
        }
        runInTransaction(
                () -> {
                    jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended('simulated_cloud', 0))")
                            .query((row, number) -> number)
                            .list();
                    jdbc.sql(tables()).update();
                    addHosts(hosts);
                });
    }

    private void addHosts(int hosts) {
        boolean empty = jdbc.sql("SELECT count(*) = 0 FROM host").query(Boolean.class).single();
        if (empty) {
            for (int number = 1; number <= hosts; number++) {
                insert(SimulatedHost.ofNumber(number));
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private void insert(SimulatedHost host) {
        jdbc.sql(
                        """
                        INSERT INTO host (hypervisor_hostname, service_name, hypervisor_type,
                            hypervisor_version, vcpus, memory_mb, local_gb, cpu_info, zone)
                        VALUES (:name, :service, :type, :version, :vcpus, :memory, :disk, :cpu, :zone)
                        """)
                .param("name", host.hypervisorHostname())
                .param("service", host.serviceName())
                .param("type", host.hypervisorType())
                .param("version", host.hypervisorVersion())
                .param("vcpus", host.vcpus())
                .param("memory", host.memoryMb())
                .param("disk", host.localGb())
                .param("cpu", host.cpuInfo())
                .param("zone", host.zone())
                .update();
    }

    private static String tables() {
        try (InputStream sql =
                Objects.requireNonNull(CloudConnections.class.getResourceAsStream("cloud.sql"))) {
            return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
