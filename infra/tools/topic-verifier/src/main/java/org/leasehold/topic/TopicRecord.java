package org.leasehold.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

import java.util.UUID;

/**
 * A record of the topic, with the fields that the verifier needs.
 *
 * @param key the lease or resource; records of the same key are in one partition, in order
 * @param id the event's id; a repeat has the same
 * @param project the project of the event; {@code -} for none
 * @param number its number among the events of this project, from 1
 * @param sequence its number among the events of its key, from 0
 * @param position its position among all events
 */
public record TopicRecord(
        int partition,
        long offset,
        String key,
        UUID id,
        String project,
        long number,
        long sequence,
        long position) {

    /**
     * Reads the headers.
     *
     * @throws IllegalArgumentException if it is no event of an engine; says which header is wrong
     */
    public static TopicRecord of(ConsumerRecord<String, ?> record) {
        String key = record.key();
        if (key == null) {
            throw new IllegalArgumentException("it has no key");
        }
        return new TopicRecord(
                record.partition(),
                record.offset(),
                key,
                id(text(record, "ce_id")),
                text(record, "ce_project"),
                number(record, "ce_projectsequence", 1),
                number(record, "ce_streamsequence", 0),
                number(record, "ce_position", 1));
    }

    private static String text(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        if (header == null || header.value() == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return new String(header.value(), UTF_8);
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("ce_id is no event's id: " + text, e);
        }
    }

    private static long number(ConsumerRecord<?, ?> record, String name, long least) {
        String text = text(record, name);
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is no number: " + text, e);
        }
        throw new IllegalArgumentException(name + " is less than " + least + ": " + text);
    }
}
