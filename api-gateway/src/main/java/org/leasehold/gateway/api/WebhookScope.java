package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** What a webhook is told of. */
enum WebhookScope {
    /** The project's leases, as its feed tells of them. */
    PROJECT,
    /** Everything, as administrators are told. */
    ALL;

    @JsonValue
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
