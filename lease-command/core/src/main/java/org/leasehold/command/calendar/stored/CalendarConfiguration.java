package org.leasehold.command.calendar.stored;

import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.claim.PostgresHolders;
import org.leasehold.command.calendar.index.CalendarAvailability;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.index.ClaimIndexConsumer;
import org.leasehold.command.calendar.index.ClaimIndexProjection;
import org.leasehold.command.calendar.index.LatestEndSearch;
import org.leasehold.command.calendar.inventory.InventoryCache;
import org.leasehold.command.calendar.inventory.PostgresInventorySource;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.refusal.RefusalConfirmation;
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
    StoredCalendar calendar(
            DataSource dataSource,
            Claims claims,
            Holders holders,
            HoldHandler holdHandler,
            HandOverHandler handOverHandler,
            InventoryCache inventories,
            CalendarGroupCommit group) {
        return new StoredCalendar(
                new JdbcSavepoints(new JdbcTemplate(dataSource)),
                claims,
                holders,
                holdHandler,
                handOverHandler,
                inventories,
                group);
    }

    @Bean
    HoldHandler holdHandler(
            InventoryCache inventories,
            Claims claims,
            Holders holders,
            CalendarGroupCommit group,
            ContentionMode contentionMode,
            RefusalConfirmation refusalConfirmation) {
        return new HoldHandler(
                inventories, claims, holders, group, contentionMode, refusalConfirmation);
    }

    @Bean
    HandOverHandler handOverHandler(
            InventoryCache inventories,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            CalendarGroupCommit group,
            ContentionMode contentionMode) {
        return new HandOverHandler(inventories, claims, holders, index, group, contentionMode);
    }

    @Bean
    Holders holders(DataSource dataSource) {
        return new PostgresHolders(new JdbcTemplate(dataSource));
    }

    @Bean
    ContentionMode contentionMode() {
        return new ContentionMode();
    }

    @Bean
    ClaimIndex claimIndex() {
        return new ClaimIndex();
    }

    @Bean
    CalendarGroupCommit calendarGroup(
            Claims claims, Holders holders, ClaimIndex index, ContentionMode contentionMode) {
        return new CalendarGroupCommit(claims, holders, index, contentionMode);
    }

    @Bean
    ClaimIndexConsumer claimFeed(
            StreamableMessageSource<TrackedEventMessage<?>> journal,
            Claims claims,
            Holders holders,
            ClaimIndex index,
            Clock clock) {
        return new ClaimIndexConsumer(
                journal, new ClaimIndexProjection(claims, holders, index, clock), index);
    }

    @Bean
    CalendarAvailability availability(
            InventoryCache inventories, Claims claims, ClaimIndex index, ClaimIndexConsumer feed) {
        return new CalendarAvailability(inventories, claims, index, feed);
    }

    @Bean
    LatestEndSearch latestEnds(InventoryCache inventories, Claims claims) {
        return new LatestEndSearch(inventories, claims);
    }

    @Bean
    RefusalConfirmation refusalConfirmation(
            Claims claims, ClaimIndexConsumer memory, PendingStartSearches nextStarts) {
        return new RefusalConfirmation(
                claims, memory, nextStarts, RefusalConfirmation.MAX_EXPLAINED_CLAIMS);
    }

    @Bean
    PendingStartSearches nextStarts(Claims claims, ClaimIndexConsumer memory) {
        return new PendingStartSearches(claims, memory);
    }

    @Bean
    InventoryCache inventories(DataSource dataSource) {
        return new InventoryCache(new PostgresInventorySource(new JdbcTemplate(dataSource)));
    }

    @Bean
    Claims claims(DataSource dataSource, CalendarSettings settings) {
        return new PostgresClaims(new JdbcTemplate(dataSource), settings.cleaningTime());
    }
}
