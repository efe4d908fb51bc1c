package org.leasehold.runtime.database;

import org.leasehold.postgres.EmbeddedPostgres;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The end of a process with an embedded database. It takes at most {@link #SHUTDOWN_TIMEOUT},
 * whatever the database does: the next start repeats all unfinished work.
 */
public final class ProcessShutdown implements ApplicationListener<ApplicationPreparedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessShutdown.class);

    /** The longest shutdown: supervisors kill after ten seconds. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(8);

    private static final int TERMINATED_STATUS = 143;
    private static final int DATABASE_FAILURE_STATUS = 1;

    private static volatile int exitStatus = TERMINATED_STATUS;

    /** Exits since the database has ended and does not restart, or has lost events. */
    public static void exitAfterDatabaseFailure() {
        exitStatus = DATABASE_FAILURE_STATUS;
        System.exit(DATABASE_FAILURE_STATUS);
    }

    /** Adds a hook. From here on, a signal ends the process in time, even during the start. */
    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        ConfigurableEnvironment environment = event.getApplicationContext().getEnvironment();
        if (DatabaseSettings.isEmbedded(environment)) {
            Path folder = DatabaseSettings.folder(environment);
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () ->
                                            Thread.ofPlatform()
                                                    .daemon()
                                                    .name("end")
                                                    .start(() -> haltAfterTimeout(folder))));
        }
    }

    private static void haltAfterTimeout(Path folder) {
        try {
            Thread.sleep(SHUTDOWN_TIMEOUT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        LOG.warn("the engine does not stop in {} s and is ended", SHUTDOWN_TIMEOUT.toSeconds());
        EmbeddedPostgres.kill(folder);
        Runtime.getRuntime().halt(exitStatus);
    }
}
