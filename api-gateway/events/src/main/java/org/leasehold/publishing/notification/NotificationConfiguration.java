package org.leasehold.publishing.notification;

import org.leasehold.publishing.EventFilter;
import org.leasehold.publishing.Publication;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.publishing.Publisher;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.wire.blazar.LeaseRendering;
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
    static final EventFilter LEASE_EVENTS =
            new EventFilter(new Audience(null, false), NotificationMapper.notifiedEvents(), 100);

    @Bean
    @ConditionalOnProperty("leasehold.notifications.hosts")
    Publication leaseNotifications(
            NotificationSettings settings,
            JdbcClient jdbc,
            EventFeed feed,
            ProjectionOffsets projections,
            Leases leases,
            LeaseRendering rendering) {
        RabbitConnector rabbit =
                new RabbitConnector(
                        settings,
                        new NotificationMapper(leases),
                        new OsloEnvelope(settings.publisherId(), rendering));
        return new Publisher(
                new PublicationOwnership(
                        jdbc, NOTIFICATIONS, ManagementFactory.getRuntimeMXBean().getName()),
                feed,
                projections,
                LEASE_EVENTS,
                rabbit::connect);
    }
}
