package org.leasehold.publishing.webhook;

import org.leasehold.publishing.Publication;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.readmodel.subscription.WebhookRules;
import org.leasehold.wire.event.EventDocuments;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.random.RandomGenerator;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebhookSettings.class)
class WebhookConfiguration {

    @Bean
    WebhookRules webhookRules(WebhookSettings settings) {
        return new ConfiguredWebhookRules(settings, createAddressResolver(settings));
    }

    private static PermittedAddressResolver createAddressResolver(WebhookSettings settings) {
        return new PermittedAddressResolver(
                new SystemHostResolver(), new DestinationPolicy(settings.allowedNetworks()));
    }

    @Bean
    WebhookSender webhookMessenger(WebhookSettings settings, Clock clock) {
        PermittedAddressResolver names = createAddressResolver(settings);
        return new WebhookSender(
                settings, new ConfiguredWebhookRules(settings, names), names, clock);
    }

    @Bean
    Publication webhookDeliveries(
            WebhookSettings settings,
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            EventFeed feed,
            ProjectionOffsets projections,
            EventDocuments events,
            WebhookSender messenger) {
        WebhookTables tables = WebhookTables.of(jdbc, new TransactionTemplate(transactions));
        return new WebhookPublication(
                new PublicationOwnership(
                        jdbc,
                        WebhookPublication.WEBHOOKS,
                        ManagementFactory.getRuntimeMXBean().getName()),
                tables.webhooks(),
                new WebhookDispatcher(
                        tables,
                        feed,
                        events,
                        messenger,
                        new RetryPauses(settings.retries(), RandomGenerator.getDefault())),
                projections);
    }
}
