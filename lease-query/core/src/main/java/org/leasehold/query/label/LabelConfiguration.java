package org.leasehold.query.label;

import org.leasehold.readmodel.label.Labels;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class LabelConfiguration {

    @Bean
    Labels labels(JdbcClient jdbc) {
        return new PostgresLabels(jdbc);
    }
}
