package org.leasehold.query.projection;

import com.zaxxer.hikari.HikariDataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;

import javax.sql.DataSource;

/**
 * A real PostgreSQL, asked as the product asks its own: by connections that are kept, and without
 * compiling queries, which takes longer than to run them.
 */
public final class PooledPostgres implements AutoCloseable {

    private final EmbeddedPostgres server;
    private final HikariDataSource pool = new HikariDataSource();

    /** Starts one. */
    public PooledPostgres() {
        try {
            server = EmbeddedPostgres.builder().setServerConfig("jit", "off").start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pool.setDataSource(server.getPostgresDatabase());
        pool.setMaximumPoolSize(20);
        pool.setMinimumIdle(0);
    }

    public DataSource dataSource() {
        return pool;
    }

    /** For other processes. */
    public String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    @Override
    public void close() {
        pool.close();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
