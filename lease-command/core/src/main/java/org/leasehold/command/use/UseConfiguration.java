package org.leasehold.command.use;

import org.leasehold.command.execution.AggregateDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;

@Configuration(proxyBeanMethods = false)
class UseConfiguration {

    @Bean
    AggregateDefinition<UseAggregate> useShell() {
        return new AggregateDefinition<>(UseAggregate.class, UseAggregate::new, List.of());
    }
}
