package org.leasehold.command.inventory;

import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.testdatabase.TestDatabase;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import javax.sql.DataSource;

/** A real PostgreSQL that holds the module's tables. */
final class InventoryDatabase implements AutoCloseable {

    private static final List<String> MIGRATIONS =
            List.of("V1__event_store.sql", "V2__calendar.sql");

    private final TestDatabase database =
            TestDatabase.migrated("inventory", InventoryDatabase::migrate);
    private final DataSource source = database.dataSource();
    private final TransactionTemplate transactions =
            new TransactionTemplate(new DataSourceTransactionManager(source));
    final JdbcClient jdbc = JdbcClient.create(source);
    final Inventory inventory = new PostgresInventory(jdbc);

    private static void migrate(DataSource empty) {
        MIGRATIONS.forEach(file -> JdbcClient.create(empty).sql(migration(file)).update());
    }

    private static String migration(String file) {
        try (InputStream in =
                InventoryDatabase.class.getResourceAsStream("/db/migration/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    <T> T inTransaction(Supplier<T> work) {
        return transactions.execute(status -> work.get());
    }

    /** Does the same as the aggregate, without its events. */
    ResourceDecision send(ResourceCommand command, Resource resource, Instant now) {
        return inTransaction(
                () -> {
                    ResourceConstraints standing = inventory.readConstraints(command, now);
                    ResourceDecision decision = ResourceDecider.decide(command, resource, standing);
                    if (decision instanceof ResourceDecision.Accepted(List<ResourceEvent> events)) {
                        events.forEach(event -> inventory.record(event, now));
                    }
                    return decision;
                });
    }

    void claim(ResourceId resource, UUID lease, Instant start, Instant end, String... reliesOn) {
        jdbc.sql(
                        """
                        INSERT INTO claim (resource_id, within, during, occupancy, reservation_id,
                                           lease_id, project_id, cleaning, relies_on)
                        VALUES (?, '00000000-0000-0000-0000-000000000000', tstzrange(?, ?), ?, ?,
                                ?, 'p1', '0', ?)
                        """)
                .param(resource.value())
                .param(start.atOffset(ZoneOffset.UTC))
                .param(end.atOffset(ZoneOffset.UTC))
                .param(lease)
                .param(UUID.randomUUID())
                .param(lease)
                .param(reliesOn)
                .update();
    }

    /** Creates a production event store with this package's aggregates; each call is a node. */
    AnnotationConfigApplicationContext node() {
        AnnotationConfigApplicationContext node = new AnnotationConfigApplicationContext();
        node.registerBean(DataSource.class, () -> source, bean -> bean.setDestroyMethodName(""));
        node.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(source));
        node.registerBean(JdbcClient.class, () -> jdbc);
        node.registerBean(
                PlatformTransactionManager.class, () -> new DataSourceTransactionManager(source));
        node.register(InventoryConfiguration.class);
        node.registerBean(Clock.class, Clock::systemUTC);
        node.scan(
                "org.leasehold.command.execution",
                "org.leasehold.command.journal",
                "org.leasehold.command.calendar");
        node.refresh();
        return node;
    }

    @Override
    public void close() {
        database.close();
    }
}
