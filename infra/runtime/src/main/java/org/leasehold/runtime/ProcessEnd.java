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
 * database does: all that is under way is repeated after the next start.
 */
final class ProcessEnd implements ApplicationListener<ApplicationPreparedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

    /** Supervisors wait for ten seconds before they kill. */
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private static final int TERMINATED = 143;
    private static final int WITHOUT_DATABASE = 1;

    private static volatile int status = TERMINATED;

    /** Ends this process because its database has ended and does not start again. */
    static void exitWithoutDatabase() {
        status = WITHOUT_DATABASE;
        System.exit(WITHOUT_DATABASE);
    }

    /** From here on, a signal ends the process in time, though the start is not over. */
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
