package org.leasehold.publishing.kafka;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.Map;

/**
 * Where events go, and what follows from them. A topic without a name is not written.
 *
 * @param bootstrapServers some of the brokers, {@code host:port,…}; null for no Kafka
 * @param eventsTopic what the topic of all events is called
 * @param leasesTopic what the topic of the leases that there are is called
 * @param properties what else a producer is to know, by its own names: how to log in, whom to
 *     trust. What the promises stand on cannot be changed here
 */
@ConfigurationProperties(prefix = "leasehold.kafka", ignoreUnknownFields = false)
record KafkaSettings(
        @Nullable String bootstrapServers,
        @DefaultValue("leasehold.events") String eventsTopic,
        @DefaultValue("leasehold.leases") String leasesTopic,
        @DefaultValue Map<String, String> properties) {

    KafkaSettings {
        properties = Map.copyOf(properties);
        if (bootstrapServers != null && bootstrapServers.isBlank()) {
            throw new IllegalArgumentException(
                    "leasehold.kafka.bootstrap-servers names nobody; leave it out for no Kafka");
        }
        requireName("events-topic", eventsTopic);
        requireName("leases-topic", leasesTopic);
        // One is compacted, by keys that the other has too.
        if (eventsTopic.equals(leasesTopic) && !eventsTopic.isEmpty()) {
            throw new IllegalArgumentException(
                    "leasehold.kafka.leases-topic is that of the events: " + leasesTopic);
        }
    }

    private static void requireName(String name, String value) {
        if (!value.matches("[A-Za-z0-9._-]{0,249}")) {
            throw new IllegalArgumentException(
                    "leasehold.kafka." + name + " is no name of a topic: " + value);
        }
    }

    /** Passwords may be among the properties. */
    @Override
    public String toString() {
        return "KafkaSettings[" + bootstrapServers + ", " + eventsTopic + ", " + leasesTopic + "]";
    }
}
