package org.leasehold.saga.fakes;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import java.io.IOException;
import java.io.UncheckedIOException;

import javax.sql.DataSource;

/** A real PostgreSQL with the tables of this module, one for all tests of this process. */
public final class Database {

    private static final EmbeddedPostgres POSTGRES = start();

    private Database() {}

    private static EmbeddedPostgres start() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.start();
            new ResourceDatabasePopulator(
                            new ClassPathResource("db/migration/V20__sagas_and_timers.sql"))
                    .execute(postgres.getPostgresDatabase());
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The database, with nothing in it. */
    public static DataSource empty() {
        DataSource dataSource = POSTGRES.getPostgresDatabase();
        new JdbcTemplate(dataSource)
                .execute(
                        "TRUNCATE timer, plugin_task, token_entry, saga_entry,"
                                + " association_value_entry");
        return dataSource;
    }

    /** Where another process finds it. */
    public static String url() {
        return POSTGRES.getJdbcUrl("postgres", "postgres");
    }
}
