package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a project asks of one kind of resource, as it was asked.
 *
 * @param id the reservation that the wish will become
 * @param kind selects the resource plugin that understands {@code parameters}
 * @param parameters the plugin's own parameters as JSON values (String, Boolean, Integer, Long,
 *     BigDecimal, List, Map, null), normalised by its planning half; order is kept
 */
public record ReservationWish(
        ReservationId id, ResourceKind kind, Map<String, @Nullable Object> parameters) {

    public ReservationWish {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    public ReservationWish with(Map<String, @Nullable Object> newParameters) {
        return new ReservationWish(id, kind, newParameters);
    }

    /** Without the parameters: users' secrets may be among them. */
    @Override
    public String toString() {
        return "ReservationWish[%s, %s]".formatted(id, kind);
    }
}
