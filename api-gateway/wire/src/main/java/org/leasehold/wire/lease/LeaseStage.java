package org.leasehold.wire.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import org.leasehold.readmodel.lease.LeaseStatus;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The stage of a lease, in the words of Climate's charter. */
public enum LeaseStage {
    RETRYING(LeaseStatus.RETRYING),
    INACTIVE(LeaseStatus.PENDING),
    DELAYED(LeaseStatus.DELAYED),
    TO_BE_STARTED(LeaseStatus.STARTING),
    ACTIVE(LeaseStatus.ACTIVE),
    TO_BE_ENDED(LeaseStatus.ENDING),
    ENDED(LeaseStatus.ENDED),
    ERROR(LeaseStatus.ERROR),
    DELETING(LeaseStatus.DELETING);

    private final LeaseStatus status;

    LeaseStage(LeaseStatus status) {
        this.status = status;
    }

    public static LeaseStage of(LeaseStatus status) {
        return switch (status) {
            case RETRYING -> RETRYING;
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

    public LeaseStatus status() {
        return status;
    }

    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
