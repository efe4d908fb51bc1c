package org.leasehold.query.origin;

import org.leasehold.readmodel.audit.OriginErasures;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class OriginConfiguration {

    @Bean
    OriginErasures originErasures(JdbcClient jdbc) {
        return new PostgresOriginErasures(jdbc);
    }
}
