package org.leasehold.publishing.notification;

import org.leasehold.publishing.Choice;
import org.leasehold.publishing.LeaseForm;
import org.leasehold.publishing.Place;
import org.leasehold.publishing.Publication;
import org.leasehold.publishing.Publisher;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Audience;
import org.leasehold.query.Leases;
import org.leasehold.query.Projections;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.lang.management.ManagementFactory;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NotificationSettings.class)
class NotificationConfiguration {

    /** The name in the table {@code publication}. */
    static final String NOTIFICATIONS = "notifications";

    /** A small batch, because each event queries a past state of its lease. */
    static final Choice OF_LEASES = new Choice(new Audience(null, false), Notices.told(), 100);

    @Bean
    @ConditionalOnProperty("leasehold.notifications.hosts")
    Publication leaseNotifications(
            NotificationSettings settings,
            JdbcClient jdbc,
            Feed feed,
            Projections projections,
            Leases leases,
            LeaseForm form) {
        Rabbit rabbit =
                new Rabbit(
                        settings, new Notices(leases), new Envelope(settings.publisherId(), form));
        return new Publisher(
                new Place(jdbc, NOTIFICATIONS, ManagementFactory.getRuntimeMXBean().getName()),
                feed,
                projections,
                OF_LEASES,
                rabbit::connect);
    }
}
