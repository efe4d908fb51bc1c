package org.leasehold.query.entry;

import org.leasehold.query.projection.Projection;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuildable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class EntryConfiguration {

    @Bean
    Projection entries(DataSource dataSource) {
        return new EntryProjection(new JdbcTemplate(dataSource));
    }

    @Bean
    PostgresEventFeed feed(JdbcClient jdbc) {
        return new PostgresEventFeed(jdbc);
    }

    @Bean
    Rebuildable rebuildableEntries(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new RebuildableProjection(jdbc, new EntryProjection(jdbc));
    }
}
