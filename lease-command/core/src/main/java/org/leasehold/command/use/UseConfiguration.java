package org.leasehold.command.use;

import org.leasehold.command.journal.AggregateShell;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;

@Configuration(proxyBeanMethods = false)
class UseConfiguration {

    @Bean
    AggregateShell<UseAggregate> useShell() {
        return new AggregateShell<>(UseAggregate.class, UseAggregate::new, List.of());
    }
}
