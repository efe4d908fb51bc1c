package org.leasehold.query.projection;

import org.leasehold.history.EventLogTail;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import java.util.List;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class ProjectionConfiguration {

    @Bean
    Projectors projectors(
            List<Projection> projections,
            EventLogTail tail,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            PostgresProjectionOffsets standing) {
        return new Projectors(
                projections.stream()
                        .map(
                                each ->
                                        new Projector(
                                                each,
                                                tail,
                                                dataSource,
                                                transactions,
                                                standing::updatePosition))
                        .toList());
    }

    @Bean
    PostgresProjectionOffsets projections(JdbcClient jdbc) {
        return new PostgresProjectionOffsets(jdbc);
    }
}
