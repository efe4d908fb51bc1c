package org.leasehold.command.inventory;

import org.leasehold.command.journal.AggregateShell;
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
    AggregateShell<ResourceAggregate> resourceShell(Inventory inventory) {
        return new AggregateShell<>(
                ResourceAggregate.class, ResourceAggregate::new, List.of(inventory));
    }

    @Bean
    AggregateShell<PropertyAggregate> propertyShell(Inventory inventory) {
        return new AggregateShell<>(
                PropertyAggregate.class, PropertyAggregate::new, List.of(inventory));
    }
}
