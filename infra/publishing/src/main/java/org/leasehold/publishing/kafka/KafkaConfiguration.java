package org.leasehold.publishing.kafka;

import org.leasehold.publishing.Choice;
import org.leasehold.publishing.EventForm;
import org.leasehold.publishing.Place;
import org.leasehold.publishing.Publication;
import org.leasehold.publishing.Publisher;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Audience;
import org.leasehold.query.Projections;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.lang.management.ManagementFactory;
import java.util.Set;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaSettings.class)
class KafkaConfiguration {

    /** As in the table {@code publication}. */
    static final String EVENTS = "kafka-events";

    /** Of a batch, up to so many are told once more. */
    static final Choice EVERYTHING = new Choice(new Audience(null, true), Set.of(), 5000);

    @Bean
    @ConditionalOnProperty("leasehold.kafka.bootstrap-servers")
    Publication kafkaEvents(
            KafkaSettings settings,
            JdbcClient jdbc,
            Feed feed,
            Projections projections,
            EventForm form) {
        return new Publisher(
                new Place(jdbc, EVENTS, ManagementFactory.getRuntimeMXBean().getName()),
                feed,
                projections,
                EVERYTHING,
                () ->
                        new KafkaLine(
                                Producers.connect(settings),
                                new EventRecords(settings.eventsTopic(), form)));
    }
}
