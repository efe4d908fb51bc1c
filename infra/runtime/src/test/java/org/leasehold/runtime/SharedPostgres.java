package org.leasehold.runtime;

import org.flywaydb.core.Flyway;
import org.leasehold.testdatabase.TestDatabase;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

/**
 * Databases on the tests' one PostgreSQL server, as addresses that a product starts on. They live
 * as long as this JVM: a product may start on its folder again. For tests that prove nothing about
 * disks or about the product's own server.
 */
final class SharedPostgres {

    private static final Map<Path, DatabaseAddress> BY_FOLDER = new ConcurrentHashMap<>();

    private SharedPostgres() {}

    /** The database of the products that start on a folder: the same one each time. */
    static DatabaseAddress of(Path folder) {
        return BY_FOLDER.computeIfAbsent(folder.toAbsolutePath(), _ -> migrated());
    }

    /** A new database with the engine's tables. */
    static DatabaseAddress migrated() {
        return address(TestDatabase.migrated("engine", SharedPostgres::migrate));
    }

    /** A new database without tables. */
    static DatabaseAddress empty() {
        return address(TestDatabase.empty());
    }

    private static void migrate(DataSource source) {
        Flyway.configure().dataSource(source).load().migrate();
    }

    private static DatabaseAddress address(TestDatabase database) {
        // The product names the user itself.
        String url = database.url().replaceFirst("\\?.*", "");
        return new DatabaseAddress(url, "postgres", "", () -> {});
    }
}
