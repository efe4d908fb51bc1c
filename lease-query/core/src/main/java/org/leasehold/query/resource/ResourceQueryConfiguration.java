package org.leasehold.query.resource;

import org.leasehold.history.EventStreams;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.readmodel.resource.PastInventory;
import org.leasehold.readmodel.resource.Resources;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class ResourceQueryConfiguration {

    @Bean
    Resources resources(JdbcClient jdbc) {
        return new PostgresResources(jdbc);
    }

    @Bean
    PastInventory pastInventory(DataSource dataSource, EventStreams streams) {
        return new PostgresPastInventory(new JdbcTemplate(dataSource), streams);
    }

    @Bean
    Rebuildable rebuildableInventory(DataSource dataSource) {
        return new RebuildableInventory(new JdbcTemplate(dataSource));
    }
}
