package org.leasehold.query.capacity;

import org.leasehold.query.booking.BookingJournal;

/** The projection of an event log to the tables of capacity, for readers in other packages. */
public final class FollowedCapacity {

    private FollowedCapacity() {}

    public static void follow(BookingJournal journal) {
        journal.database.follow(new CapacityTables(journal.jdbc(), journal.streams()));
    }
}
