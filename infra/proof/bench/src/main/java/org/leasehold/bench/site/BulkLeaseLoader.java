package org.leasehold.bench.site;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.load.RandomLeaseWindows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Creates many leases in little time: the product creates two, and the database copies them while
 * no engine runs. The next engine on the site finds them in every table.
 */
public final class BulkLeaseLoader {

    private static final Duration ENDED_LEASE_DURATION = Duration.ofSeconds(5);
    private static final Duration LEAD_TIME = Duration.ofDays(400);
    private static final Duration FUTURE_LEASE_DURATION = Duration.ofHours(4);

    private BulkLeaseLoader() {}

    public static void load(BenchmarkSite site, int ahead, int over)
            throws IOException, SQLException, InterruptedException {
        Instant now = Instant.now();
        LoadGenerator.run(
                        LoadProfile.closed(1, 1),
                        _ -> site.fleet().reserve("over", now, now.plus(ENDED_LEASE_DURATION)))
                .requireSuccess();
        RandomLeaseWindows.Window far =
                new RandomLeaseWindows.Window(
                        now.plus(LEAD_TIME), now.plus(LEAD_TIME).plus(FUTURE_LEASE_DURATION));
        LoadGenerator.run(LoadProfile.closed(1, 1), _ -> site.fleet().reserve("ahead", far))
                .requireSuccess();
        BenchmarkSite.await(
                () ->
                        site.database()
                                        .queryNumber(
                                                "SELECT count(*) FROM lease WHERE status = 'ENDED'")
                                == 1);
        site.awaitCatchUp();
        site.engine().kill();
        site.database()
                .execute(
                        "SET bench.ahead = %s; SET bench.over = %s; %s"
                                .formatted(ahead, over, script()));
        site.database().execute("VACUUM ANALYZE");
        site.database().execute("CHECKPOINT");
    }

    private static String script() throws IOException {
        try (InputStream script =
                Objects.requireNonNull(BulkLeaseLoader.class.getResourceAsStream("ballast.sql"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
