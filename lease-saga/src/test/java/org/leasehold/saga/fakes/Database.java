package org.leasehold.saga.fakes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

/** A real PostgreSQL with the tables of this module, one for all tests of this process. */
public final class Database {

    private static final List<String> MIGRATIONS =
            List.of("V20__sagas_and_timers.sql", "V21__nodes.sql", "V22__timers_in_batches.sql");

    private static final EmbeddedPostgres POSTGRES = start();

    private Database() {}

    private static EmbeddedPostgres start() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.start();
            JdbcTemplate jdbc = new JdbcTemplate(postgres.getPostgresDatabase());
            for (String migration : MIGRATIONS) {
                jdbc.execute(read(migration));
            }
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(String migration) throws IOException {
        try (InputStream tables =
                Database.class.getResourceAsStream("/db/migration/" + migration)) {
            return new String(Objects.requireNonNull(tables).readAllBytes(), UTF_8);
        }
    }

    /** The database, with nothing in it. */
    public static DataSource empty() {
        DataSource dataSource = POSTGRES.getPostgresDatabase();
        new JdbcTemplate(dataSource)
                .execute(
                        "TRUNCATE timer, plugin_task, token_entry, saga_entry,"
                                + " association_value_entry, node");
        return dataSource;
    }

    /** Where another process finds it. */
    public static String url() {
        return POSTGRES.getJdbcUrl("postgres", "postgres");
    }
}
