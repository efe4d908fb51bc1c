package org.leasehold.query.attempt;

import org.leasehold.readmodel.audit.DeniedAttempts;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class AttemptConfiguration {

    @Bean
    DeniedAttempts attemptsForAuditors(JdbcClient jdbc) {
        return new PostgresAttempts(jdbc);
    }
}
