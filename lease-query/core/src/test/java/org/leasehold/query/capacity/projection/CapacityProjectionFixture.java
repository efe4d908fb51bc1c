package org.leasehold.query.capacity.projection;

import org.leasehold.query.booking.BookingEventLog;

/** The projection of an event log to the tables of capacity, for readers in other packages. */
public final class CapacityProjectionFixture {

    private CapacityProjectionFixture() {}

    public static void follow(BookingEventLog journal) {
        journal.database.follow(new CapacityProjection(journal.jdbc(), journal.streams()));
    }
}
