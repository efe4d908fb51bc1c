package org.leasehold.bench;

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
final class Ballast {

    private static final Duration LASTS = Duration.ofSeconds(5);
    private static final Duration FAR = Duration.ofDays(400);
    private static final Duration LONG = Duration.ofHours(4);

    private Ballast() {}

    static void load(Site site, int ahead, int over)
            throws IOException, SQLException, InterruptedException {
        Instant now = Instant.now();
        Load.run(Pace.closed(1, 1), _ -> site.fleet().reserve("over", now, now.plus(LASTS)))
                .clean();
        Someday.Window far = new Someday.Window(now.plus(FAR), now.plus(FAR).plus(LONG));
        Load.run(Pace.closed(1, 1), _ -> site.fleet().reserve("ahead", far)).clean();
        Site.await(
                () ->
                        site.database().number("SELECT count(*) FROM lease WHERE status = 'ENDED'")
                                == 1);
        site.catchUp();
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
                Objects.requireNonNull(Ballast.class.getResourceAsStream("ballast.sql"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
