package org.leasehold.saga.inventory;

import org.axonframework.config.ConfigurerModule;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class InventorySagaConfiguration {

    @Bean
    ConfigurerModule inventoryProcess() {
        return configurer -> configurer.eventProcessing().registerSaga(InventorySaga.class);
    }
}
