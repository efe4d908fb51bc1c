package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Plugins;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

import java.time.Clock;

/**
 * What a product under test has in place of its own.
 *
 * @param database null for the product's own
 */
record Substitutes(Clock clock, Gate gate, @Nullable DatabaseAddress database)
        implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final String DATABASE = "databaseAddress";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        context.addBeanFactoryPostProcessor(this::replace);
    }

    private void replace(ConfigurableListableBeanFactory beans) {
        beans.addBeanPostProcessor(new Replacing());
        if (database != null && beans instanceof BeanDefinitionRegistry definitions) {
            // Never made: it would start a server.
            definitions.removeBeanDefinition(DATABASE);
            definitions.registerBeanDefinition(
                    DATABASE,
                    BeanDefinitionBuilder.genericBeanDefinition(
                                    DatabaseAddress.class, () -> database)
                            .getBeanDefinition());
        }
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
