package org.leasehold.query.booking;

import org.leasehold.history.EventStreams;
import org.leasehold.query.Calendar;
import org.leasehold.query.Usages;
import org.leasehold.query.Uses;
import org.leasehold.query.projection.Projection;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuildable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class BookingConfiguration {

    @Bean
    Projection bookings(DataSource dataSource, EventStreams streams) {
        return new BookingTable(new JdbcTemplate(dataSource), streams);
    }

    @Bean
    Calendar bookingCalendar(JdbcClient jdbc) {
        return new PostgresCalendar(jdbc);
    }

    @Bean
    Usages usages(JdbcClient jdbc) {
        return new PostgresUsages(jdbc);
    }

    @Bean
    Uses uses(JdbcClient jdbc) {
        return new PostgresUses(jdbc);
    }

    @Bean
    Rebuildable rebuildableBookings(DataSource dataSource, EventStreams streams) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new RebuildableProjection(jdbc, new BookingTable(jdbc, streams));
    }
}
