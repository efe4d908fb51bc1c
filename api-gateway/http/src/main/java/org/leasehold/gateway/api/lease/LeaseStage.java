package org.leasehold.gateway.api.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import org.leasehold.readmodel.lease.LeaseStatus;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The stage of a lease, in the words of Climate's charter. */
public enum LeaseStage {
    INACTIVE(LeaseStatus.PENDING),
    DELAYED(LeaseStatus.DELAYED),
    TO_BE_STARTED(LeaseStatus.STARTING),
    ACTIVE(LeaseStatus.ACTIVE),
    TO_BE_ENDED(LeaseStatus.ENDING),
    ENDED(LeaseStatus.ENDED),
    ERROR(LeaseStatus.ERROR),
    DELETING(LeaseStatus.DELETING);

    /** The meaning of the words, and the words of {@code /v1} for them. */
    static final String TABLE =
            """
            | status | on /v1 | |
            |---|---|---|
            | inactive | PENDING | accepted; its window has not begun |
            | delayed | STARTING | its window has begun, but others still have what it waits for |
            | to_be_started | STARTING | its resources are being provided |
            | active | ACTIVE | the project has what it was promised |
            | to_be_ended | TERMINATING | its resources are being taken back |
            | ended | TERMINATED | over, and nothing of it is left |
            | error | ERROR | the cloud did not do its part; the explanation says which |
            | deleting | DELETING | deleted, but the cloud is still being cleaned |
            """;

    private final LeaseStatus status;

    LeaseStage(LeaseStatus status) {
        this.status = status;
    }

    public static LeaseStage of(LeaseStatus status) {
        return switch (status) {
            case PENDING -> INACTIVE;
            case DELAYED -> DELAYED;
            case STARTING -> TO_BE_STARTED;
            case ACTIVE -> ACTIVE;
            case ENDING -> TO_BE_ENDED;
            case ENDED -> ENDED;
            case ERROR -> ERROR;
            case DELETING -> DELETING;
        };
    }

    public static Optional<LeaseStage> of(String word) {
        return Arrays.stream(values()).filter(stage -> stage.word().equals(word)).findFirst();
    }

    LeaseStatus status() {
        return status;
    }

    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
