package org.leasehold.command.inventory;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class InventoryConfiguration {

    @Bean
    Inventory inventory(JdbcClient jdbc) {
        return new PostgresInventory(jdbc);
    }
}
