package org.leasehold.runtime;

import org.leasehold.postgres.EmbeddedPostgres;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The end of a process with an embedded database. It takes at most {@link #LIMIT}, whatever the
 * database does: the next start repeats all unfinished work.
 */
final class ProcessEnd implements ApplicationListener<ApplicationPreparedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

    /** The longest shutdown: supervisors kill after ten seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private static final int TERMINATED = 143;
    private static final int WITHOUT_DATABASE = 1;

    private static volatile int status = TERMINATED;

    /** Exits since the database has ended and does not restart, or has lost events. */
    static void exitAfterDatabaseFailure() {
        status = WITHOUT_DATABASE;
        System.exit(WITHOUT_DATABASE);
    }

    /** Adds a hook. From here on, a signal ends the process in time, even during the start. */
    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        ConfigurableEnvironment environment = event.getApplicationContext().getEnvironment();
        if (EmbeddedDefault.isEmbedded(environment)) {
            Path folder = EmbeddedDefault.folder(environment);
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () ->
                                            Thread.ofPlatform()
                                                    .daemon()
                                                    .name("end")
                                                    .start(() -> endInTime(folder))));
        }
    }

    private static void endInTime(Path folder) {
        try {
            Thread.sleep(LIMIT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        LOG.warn("the engine does not stop in {} s and is ended", LIMIT.toSeconds());
        EmbeddedPostgres.kill(folder);
        Runtime.getRuntime().halt(status);
    }
}
