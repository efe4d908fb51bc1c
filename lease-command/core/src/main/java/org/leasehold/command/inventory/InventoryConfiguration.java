package org.leasehold.command.inventory;

import org.leasehold.command.execution.AggregateDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.List;

@Configuration(proxyBeanMethods = false)
class InventoryConfiguration {

    @Bean
    Inventory inventory(JdbcClient jdbc) {
        return new PostgresInventory(jdbc);
    }

    @Bean
    AggregateDefinition<ResourceAggregate> resourceShell(Inventory inventory) {
        return new AggregateDefinition<>(
                ResourceAggregate.class, ResourceAggregate::new, List.of(inventory));
    }

    @Bean
    AggregateDefinition<PropertyAggregate> propertyShell(Inventory inventory) {
        return new AggregateDefinition<>(
                PropertyAggregate.class, PropertyAggregate::new, List.of(inventory));
    }
}
