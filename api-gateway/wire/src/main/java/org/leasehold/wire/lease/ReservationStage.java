package org.leasehold.wire.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import org.leasehold.readmodel.lease.ReservationView;

import java.util.Locale;

/** The stage of a reservation. */
public enum ReservationStage {
    INACTIVE,
    ACTIVE,
    TO_BE_ENDED,
    ENDED,
    ERROR;

    static ReservationStage of(ReservationView.Status status) {
        return switch (status) {
            case PENDING -> INACTIVE;
            case ACTIVE -> ACTIVE;
            case RELEASED -> ENDED;
            case ERROR, REMOVAL_FAILED -> ERROR;
            case REMOVING -> TO_BE_ENDED;
        };
    }

    @JsonValue
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
