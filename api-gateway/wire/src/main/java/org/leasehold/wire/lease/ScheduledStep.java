package org.leasehold.wire.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import org.leasehold.readmodel.lease.ScheduledEventView;

import java.util.Locale;

/** A timed step of a lease's life. */
public enum ScheduledStep {
    START,
    BEFORE_END,
    END;

    static ScheduledStep of(ScheduledEventView.Type type) {
        return switch (type) {
            case START_LEASE -> START;
            case BEFORE_END_LEASE -> BEFORE_END;
            case END_LEASE -> END;
        };
    }

    @JsonValue
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
