package org.leasehold.command.calendar;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Clock;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CalendarSettings.class)
class CalendarConfiguration {

    @Bean
    PostgresCalendar calendar(
            DataSource dataSource,
            Inventories inventories,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            CalendarGroup group,
            Wariness wariness) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new PostgresCalendar(
                jdbc,
                claims,
                holders,
                new Holding(inventories, claims, holders, index, group, wariness),
                new TakingUp(jdbc, inventories, claims, holders, index, group, wariness),
                group);
    }

    @Bean
    Holders holders(DataSource dataSource) {
        return new Holders(new JdbcTemplate(dataSource));
    }

    @Bean
    Wariness wariness() {
        return new Wariness();
    }

    @Bean
    ClaimIndex claimIndex() {
        return new ClaimIndex();
    }

    @Bean
    CalendarGroup calendarGroup(
            Claims claims, Holders holders, ClaimIndex index, Wariness wariness) {
        return new CalendarGroup(claims, holders, index, wariness);
    }

    @Bean
    ClaimFeed claimFeed(
            StreamableMessageSource<TrackedEventMessage<?>> journal,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            Clock clock) {
        return new ClaimFeed(journal, claims, holders, index, clock);
    }

    @Bean
    CalendarAvailability availability(
            Inventories inventories, Claims claims, ClaimIndex index, ClaimFeed feed) {
        return new CalendarAvailability(inventories, claims, index, feed);
    }

    @Bean
    Inventories inventories(DataSource dataSource) {
        return new Inventories(new JdbcTemplate(dataSource));
    }

    @Bean
    Claims claims(DataSource dataSource, CalendarSettings settings) {
        return new Claims(new JdbcTemplate(dataSource), settings.cleaningTime());
    }
}
