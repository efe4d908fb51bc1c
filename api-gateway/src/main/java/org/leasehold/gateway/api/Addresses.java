package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.AddressRange;

/** Reads the addresses that requests came from. */
final class Addresses {

    private Addresses() {}

    /** Null where nothing is said. */
    static @Nullable AddressRange of(@Nullable String address) {
        try {
            return address == null ? null : AddressRange.of(address);
        } catch (IllegalArgumentException none) {
            throw new ProblemException(
                    Problem.ofField(
                            "address", "must be an address, or a network such as 192.0.2.0/24"));
        }
    }
}
