package org.leasehold.topic;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A topic, read from its beginning. Reading it does not affect other consumers. */
final class TopicReader implements AutoCloseable {

    private static final Duration POLL_TIMEOUT = Duration.ofMillis(500);
    private static final Duration MAX_SILENCE = Duration.ofSeconds(30);

    private final KafkaConsumer<String, byte[]> consumer;
    private final List<TopicPartition> partitions;

    /**
     * Connects.
     *
     * @param properties the consumer's properties, by Kafka's names
     * @throws IllegalArgumentException if there is no such topic
     */
    TopicReader(String name, Map<String, Object> properties) {
        Map<String, Object> known = new HashMap<>(properties);
        known.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // Reading a topic must not create it.
        known.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        known.remove(ConsumerConfig.GROUP_ID_CONFIG);
        consumer =
                new KafkaConsumer<>(known, new StringDeserializer(), new ByteArrayDeserializer());
        try {
            partitions =
                    consumer.partitionsFor(name).stream()
                            .map(each -> new TopicPartition(name, each.partition()))
                            .toList();
            if (partitions.isEmpty()) {
                throw new IllegalArgumentException("there is no topic " + name);
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    /**
     * Reads all present records.
     *
     * @throws TimeoutException if Kafka does not return them
     */
    void readToEnd(Consumer<ConsumerRecord<String, byte[]>> reader) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long heard = System.nanoTime();
        while (ends.entrySet().stream()
                .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (pollOnce(reader)) {
                heard = System.nanoTime();
            } else if (System.nanoTime() - heard > MAX_SILENCE.toNanos()) {
                throw new TimeoutException(
                        "Kafka has sent nothing for " + MAX_SILENCE.toSeconds() + " s");
            }
        }
    }

    /** Reads the next records; returns true if there were any. */
    boolean pollOnce(Consumer<ConsumerRecord<String, byte[]>> reader) {
        ConsumerRecords<String, byte[]> records = consumer.poll(POLL_TIMEOUT);
        records.forEach(reader);
        return !records.isEmpty();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
