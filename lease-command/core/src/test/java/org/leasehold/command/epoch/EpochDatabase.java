package org.leasehold.command.epoch;

import org.leasehold.testdatabase.TestDatabase;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import javax.sql.DataSource;

/** A PostgreSQL with events and epochs, which can lose events. */
final class EpochDatabase implements AutoCloseable {

    private final TestDatabase database = TestDatabase.migrated("epoch", EpochDatabase::migrate);
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());

    private static void migrate(DataSource empty) {
        for (String file : new String[] {"V1__event_store.sql", "V52__epochs.sql"}) {
            try {
                new JdbcTemplate(empty)
                        .execute(
                                new ClassPathResource("db/migration/" + file)
                                        .getContentAsString(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    EpochTable table() {
        return new EpochTable(
                jdbc,
                new TransactionTemplate(new DataSourceTransactionManager(database.dataSource())));
    }

    /** Appends an event and returns its position. */
    long append() {
        return jdbc.sql(
                        """
                        INSERT INTO domain_event (event_id, stream_type, stream_id, sequence,
                            event_type, event_version, payload, metadata, decided_at)
                        VALUES (gen_random_uuid(), 'Lease', gen_random_uuid(), 0,
                            'LeaseRequested', 1, '{}', '{}', now())
                        RETURNING position
                        """)
                .query(Long.class)
                .single();
    }

    /** Deletes all events after a position, as the restore of a backup does. */
    void loseAfter(long position) {
        jdbc.sql("DELETE FROM domain_event WHERE position > ?").param(position).update();
        jdbc.sql("DELETE FROM epoch WHERE began_after > ?").param(position).update();
        jdbc.sql("SELECT setval(pg_get_serial_sequence('domain_event', 'position'), ?)")
                .param(position)
                .query(Long.class)
                .single();
    }

    /** Deletes the first event, too. */
    void loseFirst() {
        jdbc.sql("DELETE FROM domain_event").update();
    }

    LastEvent lastEvent() {
        return table().lastEvent().orElseThrow();
    }

    @Override
    public void close() {
        database.close();
    }
}
