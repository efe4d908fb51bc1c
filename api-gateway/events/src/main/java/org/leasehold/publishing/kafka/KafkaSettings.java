package org.leasehold.publishing.kafka;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.Map;

/**
 * Settings of the connection to Kafka. A topic with an empty name is not written.
 *
 * @param bootstrapServers some of the brokers, {@code host:port,…}; null for no Kafka
 * @param eventsTopic the name of the topic of all events
 * @param leasesTopic the name of the topic of existing leases
 * @param usageTopic the name of the topic of usage
 * @param usageInterval the interval between records of ongoing usage; whole minutes that divide a
 *     day in UTC
 * @param properties other settings of the producer under its own names, such as login and
 *     truststore. Settings that the guarantees need cannot be changed here
 */
@ConfigurationProperties(prefix = "leasehold.kafka", ignoreUnknownFields = false)
record KafkaSettings(
        @Nullable String bootstrapServers,
        @DefaultValue("leasehold.events") String eventsTopic,
        @DefaultValue("leasehold.leases") String leasesTopic,
        @DefaultValue("leasehold.usage") String usageTopic,
        @DefaultValue("PT1H") Duration usageInterval,
        @DefaultValue Map<String, String> properties) {

    KafkaSettings {
        properties = Map.copyOf(properties);
        if (bootstrapServers != null && bootstrapServers.isBlank()) {
            throw new IllegalArgumentException(
                    "leasehold.kafka.bootstrap-servers names nobody; leave it out for no Kafka");
        }
        requireName("events-topic", eventsTopic);
        requireName("leases-topic", leasesTopic);
        requireName("usage-topic", usageTopic);
        // One topic is compacted, by keys that the others have too.
        requireOther("leases-topic", leasesTopic, eventsTopic);
        requireOther("usage-topic", usageTopic, eventsTopic);
        requireOther("usage-topic", usageTopic, leasesTopic);
        if (!usageInterval.isPositive()
                || usageInterval.compareTo(Duration.ofDays(1)) > 0
                || usageInterval.toNanos() % Duration.ofMinutes(1).toNanos() != 0
                || Duration.ofDays(1).toNanos() % usageInterval.toNanos() != 0) {
            throw new IllegalArgumentException(
                    "leasehold.kafka.usage-interval is no number of minutes that a day is cut into:"
                            + " "
                            + usageInterval);
        }
    }

    private static void requireName(String name, String value) {
        if (!value.matches("[A-Za-z0-9._-]{0,249}")) {
            throw new IllegalArgumentException(
                    "leasehold.kafka." + name + " is no name of a topic: " + value);
        }
    }

    private static void requireOther(String name, String value, String other) {
        if (value.equals(other) && !value.isEmpty()) {
            throw new IllegalArgumentException(
                    "leasehold.kafka." + name + " is that of something else: " + value);
        }
    }

    /** Omits the properties, because passwords may be among them. */
    @Override
    public String toString() {
        return "KafkaSettings[%s, %s, %s, %s, %s]"
                .formatted(bootstrapServers, eventsTopic, leasesTopic, usageTopic, usageInterval);
    }
}
