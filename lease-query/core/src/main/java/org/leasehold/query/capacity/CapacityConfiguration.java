package org.leasehold.query.capacity;

import org.leasehold.history.EventStreams;
import org.leasehold.query.capacity.forecast.ForecastsFromHistory;
import org.leasehold.query.capacity.projection.CapacityProjection;
import org.leasehold.query.projection.Projection;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Forecasts;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class CapacityConfiguration {

    @Bean
    Projection capacityTables(DataSource dataSource, EventStreams streams) {
        return new CapacityProjection(new JdbcTemplate(dataSource), streams);
    }

    @Bean
    Capacities capacities(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new PostgresCapacities(jdbc, transactions);
    }

    @Bean
    Forecasts forecasts(Capacities capacities) {
        return new ForecastsFromHistory(capacities);
    }

    @Bean
    Rebuildable rebuildableCapacity(DataSource dataSource, EventStreams streams) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new RebuildableProjection(jdbc, new CapacityProjection(jdbc, streams));
    }
}
