package org.leasehold.query.capacity;

import org.leasehold.query.booking.BookingJournal;

/** Has the tables of capacity follow a journal, for who reads them from elsewhere. */
public final class FollowedCapacity {

    private FollowedCapacity() {}

    public static void follow(BookingJournal journal) {
        journal.database.follow(new CapacityTables(journal.jdbc(), journal.streams()));
    }
}
