package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.readmodel.audit.AddressRange;

/** Reads the addresses of requests' clients from queries. */
final class AddressRangeParser {

    private AddressRangeParser() {}

    /** Returns null for null. */
    static @Nullable AddressRange parse(@Nullable String address) {
        try {
            return address == null ? null : AddressRange.of(address);
        } catch (IllegalArgumentException none) {
            throw new ProblemException(
                    Problem.ofField(
                            "address", "must be an address, or a network such as 192.0.2.0/24"));
        }
    }
}
