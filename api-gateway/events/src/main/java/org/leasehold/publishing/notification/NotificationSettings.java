package org.leasehold.publishing.notification;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of notifications, in the terms of oslo.messaging.
 *
 * @param hosts the hosts of RabbitMQ, {@code host:port,…}; null for no notifications
 * @param user null without {@code hosts} only
 * @param password null without {@code hosts} only
 * @param virtualHost the virtual host in RabbitMQ
 * @param tls true for a connection with TLS; the JDK must trust the certificate
 * @param exchange the {@code control_exchange}
 * @param topic a topic of the listeners; the queue is that of the priority
 * @param publisherId the name of the sender
 * @param durable true if a new exchange and queue survive a restart of RabbitMQ: {@code
 *     amqp_durable_queues} of the listeners
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
        // The value may contain a password, and RabbitMQ's library would log it.
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

    /** Rejects other characters as typing errors, although RabbitMQ accepts any name. */
    private static void requireName(String name, String value) {
        if (!value.matches("[A-Za-z0-9._:-]{1,200}")) {
            throw new IllegalArgumentException(
                    "leasehold.notifications." + name + " is no name of one: " + value);
        }
    }

    /** Returns the routing key and queue; notifications have only one priority. */
    String key() {
        return topic + ".info";
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "NotificationSettings[" + hosts + ", " + exchange + ", " + topic + "]";
    }
}
