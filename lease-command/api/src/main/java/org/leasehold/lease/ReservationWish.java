package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.ReservationId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The request of a project for one kind of resource, as received.
 *
 * @param id the id of the future reservation
 * @param kind the kind, which selects the plug-in that understands {@code parameters}
 * @param parameters the plug-in's own parameters as JSON values (String, Boolean, Integer, Long,
 *     BigDecimal, List, Map, null), normalised by its planning half; order is preserved
 */
public record ReservationWish(
        ReservationId id, ResourceKind kind, Map<String, @Nullable Object> parameters) {

    public ReservationWish {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    public ReservationWish with(Map<String, @Nullable Object> newParameters) {
        return new ReservationWish(id, kind, newParameters);
    }

    /** Omits the parameters: users' secrets may be among them. */
    @Override
    public String toString() {
        return "ReservationWish[%s, %s]".formatted(id, kind);
    }
}
