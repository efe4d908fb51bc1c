package org.leasehold.bench.query;

import org.leasehold.bench.site.BenchmarkSite;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/**
 * Many leases in the tables that lists are read from, and in no other: the product creates one, and
 * the database copies it. The copies have no events.
 */
final class LeaseTableFiller {

    private static final int HOSTS = 4;
    private static final Duration LEAD_TIME = Duration.ofDays(300);

    private LeaseTableFiller() {}

    static void fill(BenchmarkSite site, PrintStream out)
            throws IOException, SQLException, InterruptedException {
        site.enrol(HOSTS, out);
        Instant start = Instant.now().plus(LEAD_TIME);
        if (!site.fleet().reserve("night", start, start.plus(Duration.ofHours(1))).isSuccess()) {
            throw new IllegalStateException("the lease to copy was refused");
        }
        site.awaitCatchUp();
        int leases = site.settings().pastLeases();
        out.printf(Locale.ROOT, "copying %,d leases%n", leases);
        long began = System.nanoTime();
        site.database().execute("SET bench.leases = %s; %s".formatted(leases, script()));
        out.printf(Locale.ROOT, "in %.1f s%n", (System.nanoTime() - began) / 1e9);
        for (String table : new String[] {"lease", "booking"}) {
            site.database().execute("VACUUM ANALYZE " + table);
        }
        site.database().execute("CHECKPOINT");
    }

    private static String script() throws IOException {
        try (InputStream script =
                Objects.requireNonNull(LeaseTableFiller.class.getResourceAsStream("leases.sql"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
