package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.CapacityProjection.column;
import static org.leasehold.query.capacity.projection.CapacityProjection.text;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.booking.Booking;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.UUID;

/**
 * A booking that is known from now on, or no longer.
 *
 * @param sign 1 if it is known from now on, -1 if it is no longer
 */
record BookingDelta(UUID lease, Booking booking, int sign) {

    /** The columns of {@code capacity_span}. */
    static final String COLUMNS =
            "lease_id, reservation_id, resource_id, what, slots, needs, starts, ends";

    /** The relation of the {@link #columns}' values. */
    static final String RELATION =
            """
            (SELECT lease_id, reservation_id, resource_id, what, slots, needs::jsonb AS needs,
                 starts::timestamptz AS starts, ends::timestamptz AS ends, sign
             FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?) u (%s, sign))\
            """
                    .formatted(COLUMNS);

    private static final JsonMapper JSON = new JsonMapper();

    static Object[] columns(List<BookingDelta> spans) {
        return new Object[] {
            column(spans, UUID[]::new, BookingDelta::lease),
            column(spans, UUID[]::new, span -> span.booking.reservation().value()),
            column(spans, Long[]::new, span -> span.booking.resource().value()),
            column(spans, String[]::new, span -> span.booking.what().name()),
            column(spans, Integer[]::new, span -> span.booking.slots()),
            column(spans, String[]::new, BookingDelta::needs),
            column(spans, String[]::new, span -> text(span.booking.starts())),
            column(spans, String[]::new, span -> text(span.booking.ends())),
            column(spans, Integer[]::new, BookingDelta::sign)
        };
    }

    private @Nullable String needs() {
        return booking.needs() == null ? null : JSON.writeValueAsString(booking.needs());
    }
}
