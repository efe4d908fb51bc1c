package org.leasehold.bench.query;

import org.leasehold.bench.measurement.Settings;
import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A long history of short leases, written by the database while no engine runs, with the index for
 * auditors. The next engine on the site finds it.
 */
public final class AuditHistoryGenerator {

    /** The number of events of each lease. */
    static final int EVENTS_PER_LEASE = 8;

    private static final List<String> TABLES = List.of("domain_event", "audit_subject");

    private AuditHistoryGenerator() {}

    /**
     * Writes the history, unless the stored site has it already.
     *
     * @param published true if it is to be published
     */
    public static void write(Settings settings, Path folder, boolean published, PrintStream out)
            throws IOException, SQLException, InterruptedException {
        Path written = folder.resolve("written");
        if (Files.exists(written)) {
            return;
        }
        try (BenchmarkSite site = BenchmarkSite.small(settings, folder)) {
            site.enrol(settings.hosts(), out);
            int events = settings.events();
            out.printf(Locale.ROOT, "writing a history of %,d events%n", events);
            site.awaitCatchUp();
            site.engine().kill();
            site.database()
                    .execute(
                            "SET bench.events = %s; SET bench.published = %b; %s"
                                    .formatted(events, published, script()));
            for (String table : TABLES) {
                site.database().execute("VACUUM ANALYZE " + table);
            }
            site.database().execute("CHECKPOINT");
        }
        Files.createFile(written);
    }

    private static String script() throws IOException {
        try (InputStream script =
                Objects.requireNonNull(
                        AuditHistoryGenerator.class.getResourceAsStream("trail.sql"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
