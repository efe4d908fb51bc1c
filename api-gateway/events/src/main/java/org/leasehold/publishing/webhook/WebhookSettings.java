package org.leasehold.publishing.webhook;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;
import java.util.List;

/**
 * Settings of webhooks.
 *
 * @param mostPerProject the maximum number of webhooks of a project; 0 for none
 * @param allowedNetworks networks of receivers besides the public Internet, {@code 10.1.0.0/16,…}
 * @param allowHttp true if messages may be sent without TLS
 * @param formerSecretFor the time for which a replaced secret also signs messages
 * @param connectTimeout the timeout of a connection to one address
 * @param timeout the timeout of a whole message, after which it counts as not accepted
 * @param retries the pause after each failure; after the last one, an event becomes a dead letter
 */
@ConfigurationProperties(prefix = "leasehold.webhooks", ignoreUnknownFields = false)
record WebhookSettings(
        @DefaultValue("20") int mostPerProject,
        @DefaultValue List<String> allowedNetworks,
        @DefaultValue("false") boolean allowHttp,
        @DefaultValue("24h") Duration formerSecretFor,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("15s") Duration timeout,
        @DefaultValue({"5s", "5m", "30m", "2h", "5h", "10h", "14h", "20h", "24h"})
                List<Duration> retries) {

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration LONGEST_RETRY = Duration.ofDays(7);
    private static final Duration LONGEST_FORMER = Duration.ofDays(90);
    private static final int MAX_RETRIES = 50;

    WebhookSettings {
        allowedNetworks = List.copyOf(allowedNetworks);
        retries = List.copyOf(retries);
        if (mostPerProject < 0) {
            throw new IllegalArgumentException(
                    "leasehold.webhooks.most-per-project is less than nothing: " + mostPerProject);
        }
        requireWithin("former-secret-for", formerSecretFor, LONGEST_FORMER);
        requirePositive("connect-timeout", connectTimeout, LONGEST_TIMEOUT);
        requirePositive("timeout", timeout, LONGEST_TIMEOUT);
        if (retries.size() > MAX_RETRIES) {
            throw new IllegalArgumentException(
                    "leasehold.webhooks.retries are more than " + MAX_RETRIES);
        }
        retries.forEach(pause -> requirePositive("retries", pause, LONGEST_RETRY));
        allowedNetworks.forEach(IpNetwork::of);
    }

    private static void requirePositive(String name, Duration value, Duration longest) {
        if (value.isZero()) {
            throw new IllegalArgumentException("leasehold.webhooks." + name + " is no time at all");
        }
        requireWithin(name, value, longest);
    }

    private static void requireWithin(String name, Duration value, Duration longest) {
        if (value.isNegative() || value.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "leasehold.webhooks.%s must be between nothing and %s: %s"
                            .formatted(name, longest, value));
        }
    }
}
