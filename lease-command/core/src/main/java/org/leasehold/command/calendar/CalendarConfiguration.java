package org.leasehold.command.calendar;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CalendarSettings.class)
class CalendarConfiguration {

    @Bean
    PostgresCalendar calendar(DataSource dataSource, Inventories inventories, Claims claims) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        Holders holders = new Holders(jdbc);
        return new PostgresCalendar(
                jdbc,
                claims,
                holders,
                new Holding(inventories, claims, holders),
                new TakingUp(jdbc, inventories, claims, holders));
    }

    @Bean
    PostgresAvailability availability(Inventories inventories, Claims claims) {
        return new PostgresAvailability(inventories, claims);
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
