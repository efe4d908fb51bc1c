package org.leasehold.gateway.api;

import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.ProductInfo;
import org.leasehold.gateway.api.audit.FakeAuditExport;
import org.leasehold.gateway.api.audit.FakeAuditTrail;
import org.leasehold.gateway.api.audit.FakeCloudCalls;
import org.leasehold.gateway.api.audit.FakeDeniedAttempts;
import org.leasehold.gateway.api.audit.FakePrivilegedReads;
import org.leasehold.gateway.api.audit.FakeRequestOrigins;
import org.leasehold.gateway.api.audit.FakeSignedHeads;
import org.leasehold.gateway.api.audit.FakeSubscriptionChanges;
import org.leasehold.gateway.api.calendar.FakeCalendar;
import org.leasehold.gateway.api.calendar.FakeCalendarFeeds;
import org.leasehold.gateway.api.capacity.FakeCapacities;
import org.leasehold.gateway.api.capacity.FakeForecasts;
import org.leasehold.gateway.api.event.FakeEventFeed;
import org.leasehold.gateway.api.operation.FakeDefaultLeases;
import org.leasehold.gateway.api.operation.FakeReadModels;
import org.leasehold.gateway.api.refusal.FakeRefusals;
import org.leasehold.gateway.api.usage.FakeCharges;
import org.leasehold.gateway.api.usage.FakeFocusExport;
import org.leasehold.gateway.api.usage.FakeIdleLeases;
import org.leasehold.gateway.api.usage.FakeUsages;
import org.leasehold.gateway.api.webhook.FakeWebhooks;
import org.leasehold.gateway.api.whatif.FakeWhatIf;
import org.leasehold.gateway.v1.FakeCloudPlugins;
import org.leasehold.gateway.v1.InMemoryEngineBeans;
import org.leasehold.gateway.v1.InMemoryPast;
import org.leasehold.lease.LeaseLimits;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

import java.time.Instant;

/** The gateway with an engine in memory behind it; its users' passwords are their names. */
// No @Configuration, which a scan would find: the whole product has all of this already.
@EnableAutoConfiguration
@EnableConfigurationProperties(GatewaySettings.class)
@Import(InMemoryEngineBeans.class)
@ComponentScan({
    "org.leasehold.gateway.completion",
    "org.leasehold.gateway.limits",
    "org.leasehold.gateway.request",
    "org.leasehold.gateway.security",
    "org.leasehold.gateway.api",
    "org.leasehold.gateway.v1"
})
public class ApiTestServer {

    static final String USERS = "classpath:/org/leasehold/gateway/api/users.properties";

    /** Half a minute past, so that the minute and the instant differ. */
    public static final Instant NOW = InMemoryEngineBeans.NOW;

    @Bean
    ProductInfo product() {
        return new ProductInfo("1.0.0", true);
    }

    @Bean
    LeaseLimits leaseLimits() {
        return new LeaseLimits(100, 10_000);
    }

    @Bean
    FakeCloudPlugins plugins() {
        return FakeCloudPlugins.ofAllKinds();
    }

    @Bean
    FakeAvailability calendar() {
        return new FakeAvailability();
    }

    @Bean
    FakeDefaultLeases defaultLeases() {
        return new FakeDefaultLeases();
    }

    @Bean
    FakeCloudCalls calls() {
        return new FakeCloudCalls();
    }

    @Bean
    FakePrivilegedReads privilegedReads() {
        return new FakePrivilegedReads();
    }

    @Bean
    FakeDeniedAttempts attempts() {
        return new FakeDeniedAttempts();
    }

    @Bean
    FakeRequestOrigins origins() {
        return new FakeRequestOrigins();
    }

    @Bean
    FakeAuditTrail auditTrail() {
        return new FakeAuditTrail();
    }

    @Bean
    FakeCalendar bookings() {
        return new FakeCalendar();
    }

    @Bean
    FakeLabels labels() {
        return new FakeLabels();
    }

    @Bean
    FakeSubscriptionChanges subscriptionChanges() {
        return new FakeSubscriptionChanges();
    }

    @Bean
    FakeCalendarFeeds calendarFeeds() {
        return new FakeCalendarFeeds();
    }

    @Bean
    FakeWebhooks webhooks() {
        return new FakeWebhooks();
    }

    @Bean
    FakeCharges charges() {
        return new FakeCharges();
    }

    @Bean
    FakeFocusExport focusExport() {
        return new FakeFocusExport();
    }

    @Bean
    FakeSignedHeads signedHeads() {
        return new FakeSignedHeads();
    }

    @Bean
    FakeCapacities capacity() {
        return new FakeCapacities();
    }

    @Bean
    FakeWhatIf whatIf() {
        return new FakeWhatIf();
    }

    @Bean
    FakeUsages usages() {
        return new FakeUsages();
    }

    @Bean
    FakeRefusals refusals() {
        return new FakeRefusals();
    }

    @Bean
    FakeIdleLeases idleLeases() {
        return new FakeIdleLeases();
    }

    @Bean
    FakeForecasts forecast() {
        return new FakeForecasts();
    }

    @Bean
    FakeAuditExport export() {
        return new FakeAuditExport();
    }

    @Bean
    FakeReadModels readModels() {
        return new FakeReadModels();
    }

    @Bean
    FakeEventFeed feed(InMemoryPast past) {
        return new FakeEventFeed(past);
    }
}
