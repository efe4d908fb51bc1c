package org.leasehold.runtime;

import org.leasehold.postgres.EmbeddedPostgres;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import java.time.Duration;

/**
 * The end of a process with an embedded database. It takes at most {@link #LIMIT}, whatever the
 * database does: all that is under way is repeated after the next start.
 */
final class ProcessEnd implements ApplicationListener<ContextClosedEvent> {

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

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        DatabaseSettings settings =
                event.getApplicationContext()
                        .getBeanProvider(DatabaseSettings.class)
                        .getIfAvailable();
        if (settings != null && settings.isEmbedded()) {
            Thread.ofPlatform().daemon().name("end").start(() -> endInTime(settings));
        }
    }

    private static void endInTime(DatabaseSettings settings) {
        try {
            Thread.sleep(LIMIT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        LOG.warn("the engine does not stop in {} s and is ended", LIMIT.toSeconds());
        EmbeddedPostgres.kill(settings.folder());
        Runtime.getRuntime().halt(status);
    }
}
