package org.leasehold.query.booking;

import org.leasehold.history.EventStreams;
import org.leasehold.query.projection.Projection;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.readmodel.usage.IdleLeases;
import org.leasehold.readmodel.usage.Usages;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class BookingConfiguration {

    @Bean
    Projection bookings(DataSource dataSource, EventStreams streams) {
        return new BookingProjection(new JdbcTemplate(dataSource), streams);
    }

    @Bean
    BookingCalendar bookingCalendar(JdbcClient jdbc) {
        return new PostgresCalendar(jdbc);
    }

    @Bean
    Usages usages(JdbcClient jdbc) {
        return new PostgresUsages(jdbc);
    }

    @Bean
    IdleLeases idleLeases(JdbcClient jdbc) {
        return new PostgresIdleLeases(jdbc);
    }

    @Bean
    ObservedUses uses(JdbcClient jdbc) {
        return new PostgresObservedUses(jdbc);
    }

    @Bean
    Rebuildable rebuildableBookings(DataSource dataSource, EventStreams streams) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new RebuildableProjection(jdbc, new BookingProjection(jdbc, streams));
    }
}
