package org.leasehold.bench.site;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The machine of a measurement, and its settings. */
public final class Machine {

    private static final List<String> SETTINGS =
            List.of(
                    "fsync",
                    "synchronous_commit",
                    "full_page_writes",
                    "shared_buffers",
                    "wal_level",
                    "wal_buffers",
                    "wal_compression",
                    "wal_sync_method",
                    "max_wal_size",
                    "checkpoint_timeout",
                    "commit_delay",
                    "max_connections",
                    "autovacuum");

    private Machine() {}

    public static Map<String, String> facts(Database database) throws IOException, SQLException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("processor", processor());
        facts.put("memory", memory());
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("JVM", System.getProperty("java.vm.name") + " " + Runtime.version());
        facts.put("engine's heap", "at most " + Engine.HEAP_MIB + " MiB");
        facts.put("PostgreSQL", database.queryText("SHOW server_version"));
        for (String setting : SETTINGS) {
            facts.put(setting, database.queryText("SHOW " + setting));
        }
        facts.put(
                "load before",
                String.format(
                        Locale.ROOT,
                        "%.1f",
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        return facts;
    }

    private static String processor() throws IOException {
        return Runtime.getRuntime().availableProcessors()
                + " × "
                + line(Path.of("/proc/cpuinfo"), "model name");
    }

    private static String memory() throws IOException {
        String kib = line(Path.of("/proc/meminfo"), "MemTotal").replace(" kB", "");
        return Math.round(Long.parseLong(kib) / 1024.0 / 1024.0) + " GiB";
    }

    private static String line(Path file, String name) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        }
    }
}
