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
    PostgresCalendar calendar(DataSource dataSource, CalendarSettings settings) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        Inventories inventories = new Inventories(jdbc);
        Claims claims = new Claims(jdbc, settings.cleaningTime());
        Holders holders = new Holders(jdbc);
        return new PostgresCalendar(
                jdbc,
                claims,
                holders,
                new Holding(inventories, claims, holders),
                new TakingUp(jdbc, inventories, claims, holders));
    }
}
