package org.leasehold.publishing.kafka;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Creates connections to Kafka that preserve the order. */
final class KafkaProducerFactory {

    /** Shorter than the ownership of a publication, which is not renewed meanwhile. */
    private static final int MAX_BLOCK_MILLIS = 5000;

    private static final int MAX_REQUEST_BYTES = 16 << 20;
    private static final int BUFFER_BYTES = 64 << 20;

    private KafkaProducerFactory() {}

    static Producer<byte[], byte[]> connect(KafkaSettings settings) {
        return new KafkaProducer<>(
                properties(settings), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Creates a producer with transactions. Kafka then rejects all unfinished work of earlier
     * producers with this name.
     *
     * @param name the name of the writer in the brokers: the {@code transactional.id}
     */
    static Producer<byte[], byte[]> connectTransactional(KafkaSettings settings, String name) {
        Map<String, Object> properties = properties(settings);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, name);
        Producer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            producer.initTransactions();
        } catch (RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
        return producer;
    }

    static Map<String, Object> properties(KafkaSettings settings) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
        // A broker sees the compressed request, and enforces its own limit.
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        properties.putAll(settings.properties());
        properties.put(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                Objects.requireNonNull(settings.bootstrapServers()));
        // A key has one partition, in which it is in order.
        properties.put(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, false);
        properties.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        properties.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        // With several requests in flight, a new leader of a partition accepts a later one first,
        // and then rejects the earlier ones forever: KAFKA-15591.
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        properties.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
        // Later messages would overtake an expired one.
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
        properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        return properties;
    }
}
