package org.leasehold.publishing.webhook;

import org.leasehold.publishing.FeedForm;
import org.leasehold.publishing.Place;
import org.leasehold.publishing.Publication;
import org.leasehold.query.Feed;
import org.leasehold.query.Projections;
import org.leasehold.query.WebhookRules;
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
        return new SettledRules(settings, names(settings));
    }

    private static CheckedNames names(WebhookSettings settings) {
        return new CheckedNames(new PatientNames(), new Destinations(settings.allowedNetworks()));
    }

    @Bean
    Messenger webhookMessenger(WebhookSettings settings, Clock clock) {
        CheckedNames names = names(settings);
        return new Messenger(settings, new SettledRules(settings, names), names, clock);
    }

    @Bean
    Publication webhookDeliveries(
            WebhookSettings settings,
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            Feed feed,
            Projections projections,
            FeedForm form,
            Messenger messenger) {
        Letters letters = new Letters(jdbc, new TransactionTemplate(transactions));
        return new Deliveries(
                new Place(
                        jdbc, Deliveries.WEBHOOKS, ManagementFactory.getRuntimeMXBean().getName()),
                letters,
                new Courier(
                        letters,
                        feed,
                        form,
                        messenger,
                        settings.retries(),
                        RandomGenerator.getDefault()),
                projections);
    }
}
