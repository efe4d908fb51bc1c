package org.leasehold.query.lease;

import org.leasehold.testdatabase.TestDatabase;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import javax.sql.DataSource;

/** A real PostgreSQL with the tables of this package and of the event log. */
final class Database implements AutoCloseable {

    private static final Path JOURNAL =
            Path.of("../../lease-command/core/src/main/resources/db/migration");
    private static final Path VIEWS = Path.of("src/main/resources/db/migration");

    private final TestDatabase database = TestDatabase.migrated("leases", Database::migrate);
    private final DataSource dataSource = database.dataSource();

    private static void migrate(DataSource empty) {
        JdbcTemplate jdbc = new JdbcTemplate(empty);
        jdbc.execute(read(JOURNAL.resolve("V1__event_store.sql")));
        jdbc.execute(read(JOURNAL.resolve("V2__calendar.sql")));
        jdbc.execute(read(VIEWS.resolve("V10__lease_view.sql")));
        jdbc.execute(read(VIEWS.resolve("V28__entries.sql")));
        jdbc.execute(read(VIEWS.resolve("V30__bookings.sql")));
        jdbc.execute(read(VIEWS.resolve("V34__calendar_feeds.sql")));
        addFilters(jdbc);
        countLeases(jdbc);
    }

    private static void countLeases(JdbcTemplate jdbc) {
        jdbc.execute(read(JOURNAL.resolve("V51__unfinished_leases.sql")));
        jdbc.execute(read(JOURNAL.resolve("V61__retried_leases.sql")));
    }

    private static void addFilters(JdbcTemplate jdbc) {
        new TransactionTemplate(
                        new DataSourceTransactionManager(
                                Objects.requireNonNull(jdbc.getDataSource())))
                .executeWithoutResult(
                        _ -> {
                            jdbc.execute(read(VIEWS.resolve("V55__lease_filters.sql")));
                            jdbc.execute(read(VIEWS.resolve("V60__faster_lease_filters.sql")));
                        });
    }

    private static String read(Path script) {
        try {
            return Files.readString(script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource);
    }

    TransactionTemplate transactions() {
        return new TransactionTemplate(transactionManager());
    }

    PlatformTransactionManager transactionManager() {
        return new DataSourceTransactionManager(dataSource);
    }

    /** Creates the table of numbers, as the first start of the version that has it does. */
    void countLeases() {
        countLeases(jdbc());
    }

    /** Adds the columns of filters to the table of leases, as the first start with them does. */
    void addFilters() {
        addFilters(jdbc());
    }

    void empty() {
        jdbc().execute(
                        "TRUNCATE lease, lease_count, domain_event, event_entry, booking, resource"
                                + " CASCADE");
    }

    @Override
    public void close() {
        database.close();
    }
}
