package org.leasehold.query.resource;

import org.leasehold.history.DerivedRows;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ResourceVerificationConfiguration {

    @Bean
    DerivedRows resourceRows() {
        return new ResourceRows();
    }

    @Bean
    DerivedRows propertyRows() {
        return new PropertyRows();
    }
}
