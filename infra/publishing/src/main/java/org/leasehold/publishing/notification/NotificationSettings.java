package org.leasehold.publishing.notification;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where notifications go, and as what. The words are those of oslo.messaging.
 *
 * @param hosts of RabbitMQ, {@code host:port,…}; null for no notifications
 * @param user null without {@code hosts} only
 * @param password null without {@code hosts} only
 * @param virtualHost of RabbitMQ
 * @param tls whether RabbitMQ is talked to by TLS, with a certificate that the JDK trusts
 * @param exchange the {@code control_exchange}
 * @param topic what listeners name among theirs; its queue is that of the priority
 * @param publisherId who says so
 * @param durable whether exchange and queue, where they are not there yet, are made to outlive a
 *     restart of RabbitMQ: {@code amqp_durable_queues} of those who listen
 */
@ConfigurationProperties(prefix = "leasehold.notifications", ignoreUnknownFields = false)
record NotificationSettings(
        @Nullable String hosts,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue("/") String virtualHost,
        @DefaultValue("false") boolean tls,
        @DefaultValue("openstack") String exchange,
        @DefaultValue("notifications") String topic,
        @DefaultValue("blazar.lease") String publisherId,
        @DefaultValue("true") boolean durable) {

    private static final String HOST = "([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?";

    NotificationSettings {
        if (hosts != null) {
            requireHosts(hosts);
            requireText("user", user);
            requireText("password", password);
        }
        requireText("virtual-host", virtualHost);
        requireText("publisher-id", publisherId);
        requireName("exchange", exchange);
        requireName("topic", topic);
    }

    private static void requireHosts(String hosts) {
        // Somebody may have written a password there: RabbitMQ's library would put it into the log.
        if (!hosts.matches(HOST + "(\\s*,\\s*" + HOST + ")*")) {
            throw new IllegalArgumentException(
                    "leasehold.notifications.hosts is not host:port,…; leave it out for no"
                            + " notifications");
        }
    }

    private static void requireText(String name, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("leasehold.notifications." + name + " is missing");
        }
    }

    /** RabbitMQ takes any; what else is in one is a slip. */
    private static void requireName(String name, String value) {
        if (!value.matches("[A-Za-z0-9._:-]{1,200}")) {
            throw new IllegalArgumentException(
                    "leasehold.notifications." + name + " is no name of one: " + value);
        }
    }

    /** The routing key, and the queue; notifications have the one priority. */
    String key() {
        return topic + ".info";
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "NotificationSettings[" + hosts + ", " + exchange + ", " + topic + "]";
    }
}
