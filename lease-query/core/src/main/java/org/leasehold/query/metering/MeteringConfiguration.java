package org.leasehold.query.metering;

import org.leasehold.history.EventStreams;
import org.leasehold.readmodel.usage.Metering;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class MeteringConfiguration {

    @Bean
    Metering metering(
            DataSource dataSource, PlatformTransactionManager transactions, EventStreams streams) {
        return new PostgresMetering(
                new JdbcTemplate(dataSource), new TransactionTemplate(transactions), streams);
    }
}
