package org.leasehold.runtime;

import org.flywaydb.core.Flyway;
import org.leasehold.runtime.database.DatabaseAddress;
import org.leasehold.testdatabase.TestDatabase;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

/**
 * Databases on the tests' one PostgreSQL server, as addresses for a product. They exist as long as
 * this JVM: a product may start on its folder again. Tests of disks or of the product's own server
 * cannot use them.
 */
final class SharedPostgres {

    private static final Map<Path, DatabaseAddress> BY_FOLDER = new ConcurrentHashMap<>();

    private SharedPostgres() {}

    /** Returns the database of the products on a folder: the same one each time. */
    static DatabaseAddress of(Path folder) {
        return BY_FOLDER.computeIfAbsent(folder.toAbsolutePath(), _ -> migrated());
    }

    /** Creates a database with the engine's tables. */
    static DatabaseAddress migrated() {
        return address(TestDatabase.migrated("engine", SharedPostgres::migrate));
    }

    /** Creates a database without tables. */
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
