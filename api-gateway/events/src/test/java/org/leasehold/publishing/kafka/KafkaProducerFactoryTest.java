package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

class KafkaProducerFactoryTest {

    @Test
    void the_producer_options_for_event_order_cannot_be_overridden() {
        KafkaSettings settings =
                new KafkaSettings(
                        "127.0.0.1:9092",
                        "events",
                        "leases",
                        "usage",
                        Duration.ofHours(1),
                        Map.of(
                                ProducerConfig.ACKS_CONFIG, "1",
                                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false",
                                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "5",
                                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "1000",
                                ProducerConfig.CLIENT_ID_CONFIG, "ours"));

        assertThat(KafkaProducerFactory.properties(settings))
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true)
                .containsEntry(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1)
                .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE)
                .containsEntry(ProducerConfig.CLIENT_ID_CONFIG, "ours");
    }
}
