package org.leasehold.saga.waiting;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class WaitingConfiguration {

    @Bean
    WaitingLeases waits(DataSource dataSource) {
        return new PostgresWaitingLeases(new JdbcTemplate(dataSource));
    }
}
