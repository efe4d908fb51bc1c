package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;

import io.micrometer.core.instrument.binder.logging.LogbackMetrics;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import java.time.Clock;

/** Tests that no product changes the log of this process while another one sets it up. */
@Isolated("looks at the log of this process")
class LogSetupLockIT {

    private final LoggerContext log = (LoggerContext) LoggerFactory.getILoggerFactory();

    @Test
    void a_starting_product_waits_for_the_log_setup_lock() throws Exception {
        try (GenericApplicationContext product = new GenericApplicationContext()) {
            product.registerBean("logbackMetrics", LogbackMetrics.class);
            new BeanReplacements(Clock.systemUTC(), new PluginGate(), null).initialize(product);
            int listeners = listeners();

            waitsForTheLog(product::refresh, () -> assertThat(listeners()).isEqualTo(listeners));

            assertThat(listeners()).isEqualTo(listeners + 1);
        }
    }

    @Test
    void a_closing_product_waits_for_the_log_setup_lock() throws Exception {
        SpringApplication application = new SpringApplication(LogSetupLockIT.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        ConfigurableApplicationContext product = application.run("--spring.main.banner-mode=off");

        waitsForTheLog(product::close, () -> assertThat(isSetUp()).isTrue());

        assertThat(isSetUp()).isFalse();
    }

    /** Runs the work in another thread, and the check when that thread waits for this one. */
    private static void waitsForTheLog(Runnable work, Runnable check) throws InterruptedException {
        Thread thread = new Thread(work);
        LogSetupLock.undisturbed(
                () -> {
                    thread.start();
                    Await.until(
                            "the thread waits, or has not had to",
                            () -> !thread.isAlive() || LogSetupLock.isAwaitedBy(thread));
                    check.run();
                });
        thread.join();
    }

    private int listeners() {
        return log.getCopyOfListenerList().size();
    }

    /** Returns true if Spring Boot has marked the log as set up. */
    private boolean isSetUp() {
        return log.getObject(LoggingSystem.class.getName()) != null;
    }
}
