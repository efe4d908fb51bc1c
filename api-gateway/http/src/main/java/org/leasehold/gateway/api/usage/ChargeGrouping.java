package org.leasehold.gateway.api.usage;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The subject of sums of charges. */
public enum ChargeGrouping {
    LEASE,
    PROJECT;

    public static Optional<ChargeGrouping> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }

    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
