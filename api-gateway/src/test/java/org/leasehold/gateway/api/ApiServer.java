package org.leasehold.gateway.api;

import org.leasehold.command.KeptAnswers;
import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.gateway.v1.PluginsOnPaper;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/** The gateway with an engine in memory behind it; its users' passwords are their names. */
// No @Configuration, which a scan would find: the whole product has all of this already.
@EnableAutoConfiguration
@EnableConfigurationProperties(GatewaySettings.class)
@ComponentScan({
    "org.leasehold.gateway.completion",
    "org.leasehold.gateway.limits",
    "org.leasehold.gateway.request",
    "org.leasehold.gateway.security",
    "org.leasehold.gateway.api",
    "org.leasehold.gateway.v1"
})
class ApiServer {

    static final String USERS = "classpath:/org/leasehold/gateway/api/users.properties";

    /** Half a minute past, so that the minute and the instant differ. */
    static final Instant NOW = Instant.parse("2026-11-21T00:33:30Z");

    @Bean
    KeptAnswers keptAnswers(InMemoryEngine engine) {
        return engine.answers();
    }

    @Bean
    Clock clock() {
        return Clock.fixed(NOW, ZoneOffset.UTC);
    }

    @Bean
    PluginsOnPaper plugins() {
        return new PluginsOnPaper();
    }

    @Bean
    CalendarOnPaper calendar() {
        return new CalendarOnPaper();
    }

    @Bean
    CallsOnPaper calls() {
        return new CallsOnPaper();
    }

    @Bean
    AttemptsOnPaper attempts() {
        return new AttemptsOnPaper();
    }

    @Bean
    OriginsOnPaper origins() {
        return new OriginsOnPaper();
    }

    @Bean
    TrailOnPaper auditTrail() {
        return new TrailOnPaper();
    }

    @Bean
    BookingsOnPaper bookings() {
        return new BookingsOnPaper();
    }

    @Bean
    ChangesOnPaper subscriptionChanges() {
        return new ChangesOnPaper();
    }

    @Bean
    FeedsOnPaper calendarFeeds() {
        return new FeedsOnPaper();
    }

    @Bean
    WebhooksOnPaper webhooks() {
        return new WebhooksOnPaper();
    }

    @Bean
    ChargesOnPaper charges() {
        return new ChargesOnPaper();
    }

    @Bean
    FocusOnPaper focusExport() {
        return new FocusOnPaper();
    }

    @Bean
    SealsOnPaper seals() {
        return new SealsOnPaper();
    }

    @Bean
    CapacityOnPaper capacity() {
        return new CapacityOnPaper();
    }

    @Bean
    WhatIfOnPaper whatIf() {
        return new WhatIfOnPaper();
    }

    @Bean
    UsagesOnPaper usages() {
        return new UsagesOnPaper();
    }

    @Bean
    ForecastOnPaper forecast() {
        return new ForecastOnPaper();
    }

    @Bean
    ExportOnPaper export() {
        return new ExportOnPaper();
    }

    @Bean
    ReadModelsOnPaper readModels() {
        return new ReadModelsOnPaper();
    }

    @Bean
    FeedOnPaper feed(InMemoryEngine engine) {
        return new FeedOnPaper(engine);
    }

    @Bean
    InMemoryEngine engine(Clock clock, PluginsOnPaper plugins) {
        return new InMemoryEngine(clock, plugins);
    }
}
