package org.leasehold.query.resource;

import org.leasehold.query.Resources;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class ResourceQueryConfiguration {

    @Bean
    Resources resources(JdbcClient jdbc) {
        return new PostgresResources(jdbc);
    }
}
