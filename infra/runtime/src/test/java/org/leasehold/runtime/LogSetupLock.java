package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import java.net.URLConnection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for changes of this process's log. Tests run in parallel in one process, and each product
 * sets up that log in the first part of its start. The rest of a start takes nearly all of the
 * time, and needs the lock for one bean: see {@link BeanReplacements}. A product that closes cleans
 * up the log: see {@link LogCleanup}.
 *
 * <p>This listener runs before Spring Boot's own, which first silence the log. {@link End} runs
 * after them.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LogSetupLock implements SpringApplicationRunListener {

    private static final ReentrantLock LOG = new ReentrantLock();

    // A start scans jars. By default all connections to a jar share one open file. Closing it
    // breaks a start in the middle of its scan: "Stream closed".
    static {
        URLConnection.setDefaultUseCaches("jar", false);
    }

    /** Runs work while no product changes the log of the process. */
    static void undisturbed(Runnable work) {
        LOG.lock();
        try {
            work.run();
        } finally {
            LOG.unlock();
        }
    }

    /** Returns true if a thread waits for the lock. */
    static boolean isAwaitedBy(Thread thread) {
        return LOG.hasQueuedThread(thread);
    }

    @Override
    public void starting(ConfigurableBootstrapContext context) {
        LOG.lock();
    }

    @Override
    public void contextLoaded(ConfigurableApplicationContext context) {
        context.getBeanFactory()
                .registerSingleton(LogCleanup.NAME, new LogCleanup(context.getBeanFactory()));
    }

    @Override
    public void failed(@Nullable ConfigurableApplicationContext context, Throwable failure) {
        // Spring Boot cleans up the log next.
        if (!LOG.isHeldByCurrentThread()) {
            LOG.lock();
        }
    }

    /** Releases the lock after Spring Boot's listeners have used the log. */
    @Order(Ordered.LOWEST_PRECEDENCE)
    static final class End implements SpringApplicationRunListener {

        @Override
        public void contextLoaded(ConfigurableApplicationContext context) {
            LOG.unlock();
        }

        @Override
        public void failed(@Nullable ConfigurableApplicationContext context, Throwable failure) {
            LOG.unlock();
        }
    }
}
