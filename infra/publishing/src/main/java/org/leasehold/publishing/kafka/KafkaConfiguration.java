package org.leasehold.publishing.kafka;

import org.leasehold.publishing.EventForm;
import org.leasehold.publishing.Publication;
import org.leasehold.query.Feed;
import org.leasehold.query.Projections;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.lang.management.ManagementFactory;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaSettings.class)
class KafkaConfiguration {

    /** As in the table {@code publication}. */
    static final String EVENTS = "kafka-events";

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
                new EventRecords(settings.eventsTopic(), form),
                () -> Producers.connect(settings));
    }
}
