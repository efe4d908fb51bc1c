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
 * A lock for the first part of a product's start. Tests run side by side in this process, and
 * Spring Boot sets up the log of the process in that part. It comes before Spring Boot's own
 * listeners: the first thing that these do is to silence the log. The context, which takes nearly
 * all of the time, is each product's own.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class OneStartAtATime implements SpringApplicationRunListener {

    private static final ReentrantLock STARTING = new ReentrantLock();

    // A start scans jars. By default all connections to a jar share one open file, and one
    // that closes it closes it for a start in the middle of its scan: "Stream closed".
    static {
        URLConnection.setDefaultUseCaches("jar", false);
    }

    /** Does something while no product starts: a start sets up the log for the whole process. */
    static void undisturbed(Runnable work) {
        STARTING.lock();
        try {
            work.run();
        } finally {
            STARTING.unlock();
        }
    }

    @Override
    public void starting(ConfigurableBootstrapContext context) {
        STARTING.lock();
    }

    @Override
    public void contextLoaded(ConfigurableApplicationContext context) {
        STARTING.unlock();
    }

    @Override
    public void failed(@Nullable ConfigurableApplicationContext context, Throwable failure) {
        if (STARTING.isHeldByCurrentThread()) {
            STARTING.unlock();
        }
    }
}
