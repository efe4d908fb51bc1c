package org.leasehold.runtime;

import io.micrometer.core.instrument.binder.logging.LogbackMetrics;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Plugins;
import org.leasehold.runtime.database.DatabaseAddress;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Replacements of beans in a product under test.
 *
 * @param database null for the product's own
 */
record BeanReplacements(Clock clock, PluginGate gate, @Nullable DatabaseAddress database)
        implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final String DATABASE = "databaseAddress";
    private static final String METRICS = "logbackMetrics";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        context.addBeanFactoryPostProcessor(this::replace);
    }

    private void replace(ConfigurableListableBeanFactory beans) {
        beans.addBeanPostProcessor(new Replacing());
        BeanDefinitionRegistry definitions = (BeanDefinitionRegistry) beans;
        replace(definitions, METRICS, LogbackMetrics.class, BeanReplacements::metrics);
        if (database != null) {
            // Never created: it would start a server.
            replace(definitions, DATABASE, DatabaseAddress.class, () -> database);
        }
    }

    private static <T> void replace(
            BeanDefinitionRegistry definitions, String name, Class<T> type, Supplier<T> bean) {
        definitions.removeBeanDefinition(name);
        definitions.registerBeanDefinition(
                name, BeanDefinitionBuilder.genericBeanDefinition(type, bean).getBeanDefinition());
    }

    /**
     * Returns the product's log metrics. They add a listener to the log of this process: another
     * product that sets up this log would fail with a ConcurrentModificationException.
     */
    private static LogbackMetrics metrics() {
        AtomicReference<LogbackMetrics> made = new AtomicReference<>();
        LogSetupLock.undisturbed(() -> made.set(new LogbackMetrics()));
        return made.get();
    }

    private final class Replacing implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return switch (bean) {
                case Clock _ -> clock;
                case Plugins plugins -> gate.before(plugins);
                default -> bean;
            };
        }
    }
}
