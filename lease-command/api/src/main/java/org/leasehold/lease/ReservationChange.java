package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * New values for some parameters of one reservation.
 *
 * @param id the id of a reservation of the changed lease
 * @param parameters the changed parameters only; the others stay as requested
 */
public record ReservationChange(ReservationId id, Map<String, @Nullable Object> parameters) {

    public ReservationChange {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** Omits the values: users' secrets may be among them. */
    @Override
    public String toString() {
        return "ReservationChange[%s, %s]".formatted(id, parameters.keySet());
    }
}
