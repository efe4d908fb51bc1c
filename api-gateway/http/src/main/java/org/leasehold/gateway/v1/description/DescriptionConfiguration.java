package org.leasehold.gateway.v1.description;

import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DescriptionConfiguration {

    @Bean
    GlobalOpenApiCustomizer blazarDescription() {
        return new BlazarOpenApiCustomizer();
    }
}
