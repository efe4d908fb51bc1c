package org.leasehold.runtime;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.SmartLifecycle;

/**
 * The bean that cleans up the log when a product closes, in place of Spring Boot's. Spring Boot's
 * would do so in the middle of another product's start, whose log would then not be silent.
 */
final class LogCleanup implements SmartLifecycle {

    /** The name for which Spring Boot registers no second bean. */
    static final String NAME = "springBootLoggingLifecycle";

    private final BeanFactory beans;
    private volatile boolean running;

    LogCleanup(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        LogSetupLock.undisturbed(() -> beans.getBean(LoggingSystem.class).cleanUp());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns the phase of Spring Boot's bean, which stops last except for explicit last ones. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE + 1;
    }
}
