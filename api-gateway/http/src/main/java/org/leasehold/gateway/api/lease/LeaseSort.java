package org.leasehold.gateway.api.lease;

import com.fasterxml.jackson.annotation.JsonValue;

import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseOrder;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The orders of a list of leases, as requests name them. */
public enum LeaseSort {
    CREATED(LeaseOrder.Key.CREATED, SortDirection.ASCENDING),
    CREATED_DESCENDING(LeaseOrder.Key.CREATED, SortDirection.DESCENDING),
    START(LeaseOrder.Key.START, SortDirection.ASCENDING),
    START_DESCENDING(LeaseOrder.Key.START, SortDirection.DESCENDING),
    END(LeaseOrder.Key.END, SortDirection.ASCENDING),
    END_DESCENDING(LeaseOrder.Key.END, SortDirection.DESCENDING);

    /** The word of the first one. */
    static final String DEFAULT = "created";

    private final LeaseOrder.Key key;
    private final SortDirection direction;

    LeaseSort(LeaseOrder.Key key, SortDirection direction) {
        this.key = key;
        this.direction = direction;
    }

    public static Optional<LeaseSort> of(String word) {
        return Arrays.stream(values()).filter(sort -> sort.word().equals(word)).findFirst();
    }

    LeaseOrder order() {
        return new LeaseOrder(key, direction);
    }

    /** Returns the key, with a sign in front if the largest comes first. */
    @JsonValue
    public String word() {
        String word = key.name().toLowerCase(Locale.ROOT);
        return direction == SortDirection.ASCENDING ? word : "-" + word;
    }
}
