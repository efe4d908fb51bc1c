package org.leasehold.query.capacity.projection;

import static org.leasehold.query.capacity.projection.CapacityProjection.column;

import org.leasehold.lease.UseObserved;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;

/** A resource that a reservation was given, or was to be. */
record GrantedResource(UUID lease, UUID reservation, long resource) {

    /** The relation of the {@link #columns}' values. */
    static final String RELATION = "unnest(?, ?, ?) g (lease_id, reservation_id, resource_id)";

    static GrantedResource of(BookingDelta span) {
        return new GrantedResource(
                span.lease(),
                span.booking().reservation().value(),
                span.booking().resource().value());
    }

    static GrantedResource of(UseObserved seen) {
        return new GrantedResource(
                seen.leaseId().value(), seen.reservationId().value(), seen.resourceId().value());
    }

    static GrantedResource of(ResultSet row) throws SQLException {
        return new GrantedResource(
                row.getObject("lease_id", UUID.class),
                row.getObject("reservation_id", UUID.class),
                row.getLong("resource_id"));
    }

    static Object[] columns(Collection<GrantedResource> all) {
        return new Object[] {
            column(all, UUID[]::new, GrantedResource::lease),
            column(all, UUID[]::new, GrantedResource::reservation),
            column(all, Long[]::new, GrantedResource::resource)
        };
    }
}
