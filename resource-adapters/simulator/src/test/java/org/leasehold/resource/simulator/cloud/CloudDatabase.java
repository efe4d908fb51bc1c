package org.leasehold.resource.simulator.cloud;

import org.leasehold.testdatabase.TestDatabase;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The databases of a test's simulated clouds, one for each. */
public final class CloudDatabase implements AutoCloseable {

    // It takes longer to create a database than to empty one. They end with the JVM.
    private static final Queue<TestDatabase> EMPTY = new ConcurrentLinkedQueue<>();

    private final List<TestDatabase> taken = new ArrayList<>();

    /** Returns the plug-in's settings for a new database. */
    public Map<String, String> newCloud() {
        TestDatabase database = EMPTY.poll();
        taken.add(database == null ? TestDatabase.empty() : database);
        Map<String, String> settings = new HashMap<>();
        settings.put("url", taken.getLast().url());
        settings.put("user", "postgres");
        settings.put("password", "postgres");
        settings.put("hosts", "8");
        return settings;
    }

    public static SimulatedCloud connect(Map<String, String> settings) {
        return SimulatedCloud.connect(
                settings.get("url"), settings.get("user"), settings.get("password"));
    }

    @Override
    public void close() {
        for (TestDatabase database : taken) {
            JdbcClient.create(database.dataSource())
                    .sql("DROP SCHEMA IF EXISTS simulated_cloud CASCADE")
                    .update();
            EMPTY.add(database);
        }
    }
}
