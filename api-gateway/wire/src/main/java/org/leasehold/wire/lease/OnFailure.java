package org.leasehold.wire.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.StartFailurePolicy;

import java.util.Locale;

/** The action if a reservation of a lease fails to start. */
public enum OnFailure {
    /** The lease is in error, and what runs keeps running. */
    KEEP,
    /** The whole lease ends. */
    RELEASE;

    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public StartFailurePolicy policy() {
        return switch (this) {
            case KEEP -> StartFailurePolicy.KEEP;
            case RELEASE -> StartFailurePolicy.RELEASE;
        };
    }

    static OnFailure of(@Nullable StartFailurePolicy policy) {
        return switch (policy) {
            case KEEP -> KEEP;
            case RELEASE -> RELEASE;
            case null -> KEEP;
        };
    }
}
