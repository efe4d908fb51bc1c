package org.leasehold.publishing.kafka;

import org.leasehold.publishing.Choice;
import org.leasehold.publishing.EventForm;
import org.leasehold.publishing.LeaseDocument;
import org.leasehold.publishing.Place;
import org.leasehold.publishing.Publication;
import org.leasehold.publishing.Publisher;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Audience;
import org.leasehold.query.Leases;
import org.leasehold.query.Metering;
import org.leasehold.query.Projections;
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
    static final Choice EVERYTHING = new Choice(new Audience(null, true), Set.of(), 5000);

    /** Each event queries its lease, unless the batch has a later one of the lease. */
    static final Choice OF_LEASES = new Choice(new Audience(null, false), Set.of(), 1000);

    /** Each reading has a record for every resource that is reserved then. */
    static final Choice READINGS = new Choice(new Audience(null, false), Set.of(), 10);

    @Bean
    @Conditional(NamedTopic.Events.class)
    Publication kafkaEvents(
            KafkaSettings settings,
            JdbcClient jdbc,
            Feed feed,
            Projections projections,
            EventForm form) {
        EventRecords records = new EventRecords(settings.eventsTopic(), form);
        return new Publisher(
                place(jdbc, EVENTS),
                feed,
                projections,
                EVERYTHING,
                () -> KafkaLine.ofEvents(settings, records));
    }

    @Bean
    @Conditional(NamedTopic.OfLeases.class)
    Publication kafkaLeases(
            KafkaSettings settings,
            JdbcClient jdbc,
            Feed feed,
            Projections projections,
            Leases leases,
            EventForm form,
            LeaseDocument document) {
        LeaseRecords records = new LeaseRecords(settings.leasesTopic(), form, leases, document);
        return new Publisher(
                place(jdbc, LEASES),
                feed,
                projections,
                OF_LEASES,
                () -> KafkaLine.ofLeases(settings, records));
    }

    @Bean
    @Conditional(NamedTopic.OfUsage.class)
    Publication kafkaUsage(
            KafkaSettings settings,
            JdbcClient jdbc,
            Feed feed,
            Projections projections,
            Metering metering,
            EventForm form) {
        UsageRecords records = new UsageRecords(settings.usageTopic(), form.installation());
        return new Publisher(
                place(jdbc, USAGE),
                feed,
                projections,
                OF_LEASES,
                () ->
                        KafkaLine.ofWhatFollows(
                                settings, () -> new UsageOfEvents(metering, records)));
    }

    @Bean
    @Conditional(NamedTopic.OfUsage.class)
    Publication kafkaUsageReadings(
            KafkaSettings settings,
            JdbcClient jdbc,
            Metering metering,
            Clock clock,
            EventForm form) {
        UsageRecords records = new UsageRecords(settings.usageTopic(), form.installation());
        ReadingsFeed readings = new ReadingsFeed(metering, clock, settings.usageInterval());
        return new ReadingsPublication(
                new Publisher(
                        place(jdbc, USAGE_READINGS),
                        readings,
                        readings,
                        READINGS,
                        () ->
                                KafkaLine.ofWhatFollows(
                                        settings, () -> new UsageOfReadings(metering, records))),
                readings);
    }

    private static Place place(JdbcClient jdbc, String publication) {
        return new Place(jdbc, publication, ManagementFactory.getRuntimeMXBean().getName());
    }
}
