package org.leasehold.gateway.api.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** The action if the calendar cannot hold a lease. */
public enum IfUnavailable {
    /** The request gets 409 and the reasons. */
    REFUSE,
    /** The lease exists, and the engine tries to hold it again. */
    RETRY;

    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
