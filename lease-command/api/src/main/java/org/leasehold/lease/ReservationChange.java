package org.leasehold.lease;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * New values for some parameters of one reservation.
 *
 * @param id a reservation of the lease that is changed
 * @param parameters only what changes; everything else stays as it was wished
 */
public record ReservationChange(ReservationId id, Map<String, @Nullable Object> parameters) {

    public ReservationChange {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** Without the values: users' secrets may be among them. */
    @Override
    public String toString() {
        return "ReservationChange[%s, %s]".formatted(id, parameters.keySet());
    }
}
