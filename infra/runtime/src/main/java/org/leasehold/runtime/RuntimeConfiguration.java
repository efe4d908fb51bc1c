package org.leasehold.runtime;

import org.leasehold.command.Commands;
import org.leasehold.query.Resources;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

import java.time.Clock;

@Configuration(proxyBeanMethods = false)
class RuntimeConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    FirstStart firstStart(
            DatabaseSettings settings,
            Commands commands,
            Resources resources,
            Plugins plugins,
            Clock clock,
            ConfigurableEnvironment environment) {
        return new FirstStart(settings, commands, resources, plugins, clock, environment);
    }
}
