package org.leasehold.query.capacity;

import static org.leasehold.query.capacity.CapacityTables.column;

import org.leasehold.lease.UseObserved;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;

/** A resource that a reservation was given, or was to be. */
record Given(UUID lease, UUID reservation, long resource) {

    /** The relation of the {@link #columns}' values. */
    static final String RELATION = "unnest(?, ?, ?) g (lease_id, reservation_id, resource_id)";

    static Given of(Span span) {
        return new Given(
                span.lease(),
                span.booking().reservation().value(),
                span.booking().resource().value());
    }

    static Given of(UseObserved seen) {
        return new Given(
                seen.leaseId().value(), seen.reservationId().value(), seen.resourceId().value());
    }

    static Given of(ResultSet row) throws SQLException {
        return new Given(
                row.getObject("lease_id", UUID.class),
                row.getObject("reservation_id", UUID.class),
                row.getLong("resource_id"));
    }

    static Object[] columns(Collection<Given> all) {
        return new Object[] {
            column(all, UUID[]::new, Given::lease),
            column(all, UUID[]::new, Given::reservation),
            column(all, Long[]::new, Given::resource)
        };
    }
}
