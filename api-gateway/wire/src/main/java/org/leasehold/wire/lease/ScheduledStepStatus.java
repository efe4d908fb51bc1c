package org.leasehold.wire.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import org.leasehold.readmodel.lease.ScheduledEventView;

import java.util.Locale;

/** The progress of a timed step. */
public enum ScheduledStepStatus {
    UNDONE,
    IN_PROGRESS,
    DONE,
    ERROR;

    static ScheduledStepStatus of(ScheduledEventView.Status status) {
        return switch (status) {
            case UNDONE -> UNDONE;
            case IN_PROGRESS -> IN_PROGRESS;
            case DONE -> DONE;
            case ERROR -> ERROR;
        };
    }

    @JsonValue
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
