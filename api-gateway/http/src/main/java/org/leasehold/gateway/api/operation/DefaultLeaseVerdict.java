package org.leasehold.gateway.api.operation;

import com.fasterxml.jackson.annotation.JsonValue;

import org.leasehold.readmodel.operation.DefaultLeases.Verdict;

import java.util.Locale;

/** The meaning of the settings of default leases for a server, as a word. */
enum DefaultLeaseVerdict {
    LEASED,
    EXEMPT,
    PENDING,
    AFFECTED,
    REFUSED;

    static DefaultLeaseVerdict of(Verdict verdict) {
        return switch (verdict) {
            case LEASED -> LEASED;
            case EXEMPT -> EXEMPT;
            case PENDING -> PENDING;
            case AFFECTED -> AFFECTED;
            case REFUSED -> REFUSED;
        };
    }

    @JsonValue
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
