package org.leasehold.publishing.kafka;

import org.leasehold.publishing.EventFilter;
import org.leasehold.publishing.Publication;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.publishing.Publisher;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.wire.event.EventDocuments;
import org.leasehold.wire.lease.OperatorLeaseDocuments;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.Set;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaSettings.class)
class KafkaConfiguration {

    /** The name in the table {@code publication}. */
    static final String EVENTS = "kafka-events";

    /** The name in the table {@code publication}. */
    static final String LEASES = "kafka-leases";

    /** The name in the table {@code publication}. */
    static final String USAGE = "kafka-usage";

    /** The name in the table {@code publication}. */
    static final String USAGE_READINGS = "kafka-usage-readings";

    /** All events; at most this many of a batch are sent again. */
    static final EventFilter ALL_EVENTS = new EventFilter(new Audience(null, true), Set.of(), 5000);

    /** Each event queries its lease, unless the batch has a later one of the lease. */
    static final EventFilter LEASE_EVENTS =
            new EventFilter(new Audience(null, false), Set.of(), 1000);

    /** Each reading has a record for every resource that is reserved then. */
    static final EventFilter READINGS = new EventFilter(new Audience(null, false), Set.of(), 10);

    @Bean
    @Conditional(KafkaTopicCondition.Events.class)
    Publication kafkaEvents(
            KafkaSettings settings,
            JdbcClient jdbc,
            EventFeed feed,
            ProjectionOffsets projections,
            EventDocuments events) {
        EventRecordMapper records = new EventRecordMapper(settings.eventsTopic(), events);
        return new Publisher(
                createOwnership(jdbc, EVENTS),
                feed,
                projections,
                ALL_EVENTS,
                () -> KafkaConnection.ofEvents(settings, records));
    }

    @Bean
    @Conditional(KafkaTopicCondition.OfLeases.class)
    Publication kafkaLeases(
            KafkaSettings settings,
            JdbcClient jdbc,
            EventFeed feed,
            ProjectionOffsets projections,
            Leases leases,
            EventDocuments events,
            OperatorLeaseDocuments documents) {
        LeaseRecordMapper records =
                new LeaseRecordMapper(settings.leasesTopic(), events, leases, documents);
        return new Publisher(
                createOwnership(jdbc, LEASES),
                feed,
                projections,
                LEASE_EVENTS,
                () -> KafkaConnection.ofLeases(settings, records));
    }

    @Bean
    @Conditional(KafkaTopicCondition.OfUsage.class)
    Publication kafkaUsage(
            KafkaSettings settings,
            JdbcClient jdbc,
            EventFeed feed,
            ProjectionOffsets projections,
            Metering metering,
            EventDocuments events) {
        UsageRecordMapper records =
                new UsageRecordMapper(settings.usageTopic(), events.installation());
        return new Publisher(
                createOwnership(jdbc, USAGE),
                feed,
                projections,
                LEASE_EVENTS,
                () ->
                        KafkaConnection.ofDerivedRecords(
                                settings, () -> new EventUsageAggregator(metering, records)));
    }

    @Bean
    @Conditional(KafkaTopicCondition.OfUsage.class)
    Publication kafkaUsageReadings(
            KafkaSettings settings,
            JdbcClient jdbc,
            Metering metering,
            Clock clock,
            EventDocuments events) {
        UsageRecordMapper records =
                new UsageRecordMapper(settings.usageTopic(), events.installation());
        ReadingsFeed readings = new ReadingsFeed(metering, clock, settings.usageInterval());
        return new ReadingsPublication(
                new Publisher(
                        createOwnership(jdbc, USAGE_READINGS),
                        readings,
                        readings,
                        READINGS,
                        () ->
                                KafkaConnection.ofDerivedRecords(
                                        settings,
                                        () -> new ReadingUsageAggregator(metering, records))),
                readings);
    }

    private static PublicationOwnership createOwnership(JdbcClient jdbc, String publication) {
        return new PublicationOwnership(
                jdbc, publication, ManagementFactory.getRuntimeMXBean().getName());
    }
}
