package org.leasehold.query.projection;

import org.leasehold.history.Tail;
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
            Tail tail,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            PostgresProjections standing) {
        return new Projectors(
                projections.stream()
                        .map(
                                each ->
                                        new Projector(
                                                each,
                                                tail,
                                                dataSource,
                                                transactions,
                                                standing::reached))
                        .toList());
    }

    @Bean
    PostgresProjections projections(JdbcClient jdbc) {
        return new PostgresProjections(jdbc);
    }
}
