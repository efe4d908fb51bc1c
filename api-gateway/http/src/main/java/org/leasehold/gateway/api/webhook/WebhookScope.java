package org.leasehold.gateway.api.webhook;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** The events that a webhook sends. */
public enum WebhookScope {
    /** Events of the project's leases, as in its feed. */
    PROJECT,
    /** All events, as administrators see them. */
    ALL;

    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
