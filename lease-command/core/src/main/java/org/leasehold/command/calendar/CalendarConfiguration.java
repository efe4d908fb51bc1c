package org.leasehold.command.calendar;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Clock;
import java.time.Duration;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CalendarSettings.class)
class CalendarConfiguration {

    @Bean
    StoredCalendar calendar(
            DataSource dataSource,
            Inventories inventories,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            CalendarGroup group,
            Wariness wariness,
            Refusing refusing) {
        return new StoredCalendar(
                new JdbcSavepoints(new JdbcTemplate(dataSource)),
                claims,
                holders,
                new Holding(inventories, claims, holders, index, group, wariness, refusing),
                new TakingUp(inventories, claims, holders, index, group, wariness),
                new Adopting(inventories, claims, holders),
                group);
    }

    @Bean
    Holders holders(DataSource dataSource) {
        return new PostgresHolders(new JdbcTemplate(dataSource));
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
        return new ClaimFeed(journal, new ClaimFollower(claims, holders, index, clock), index);
    }

    @Bean
    CalendarAvailability availability(
            Inventories inventories, Claims claims, ClaimIndex index, ClaimFeed feed) {
        return new CalendarAvailability(inventories, claims, index, feed);
    }

    @Bean
    Refusing refusing(Claims claims, NextStarts nextStarts) {
        return new Refusing(claims, nextStarts, Refusing.EXPLAINED_CLAIMS);
    }

    @Bean
    NextStarts nextStarts(Claims claims, ClaimIndex index, ClaimFeed feed) {
        return new NextStarts(
                claims,
                new NextStarts.Memory() {
                    @Override
                    public boolean reaches(long position, Duration patience) {
                        return feed.reaches(position, patience);
                    }

                    @Override
                    public ClaimIndex index() {
                        return index;
                    }
                });
    }

    @Bean
    Inventories inventories(DataSource dataSource) {
        return new Inventories(new PostgresResources(new JdbcTemplate(dataSource)));
    }

    @Bean
    Claims claims(DataSource dataSource, CalendarSettings settings) {
        return new PostgresClaims(new JdbcTemplate(dataSource), settings.cleaningTime());
    }
}
