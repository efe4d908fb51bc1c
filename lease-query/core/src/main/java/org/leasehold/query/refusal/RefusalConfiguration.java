package org.leasehold.query.refusal;

import org.leasehold.history.EventStreams;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.refusal.Refusals;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class RefusalConfiguration {

    @Bean
    Refusals refusals(DataSource dataSource, EventStreams streams, EventLogPositions positions) {
        return new PostgresRefusals(new JdbcTemplate(dataSource), streams, positions);
    }
}
