package org.leasehold.query.account;

import org.leasehold.query.account.Entry.What;
import org.leasehold.query.booking.Bookings;
import org.leasehold.query.booking.Stretch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The account of a lease: its promised resources, and those that it held beyond them. */
public final class Accounts {

    private Accounts() {}

    /**
     * Returns the account of one lease. The promised amount is, to the microsecond, the sum of the
     * active and the lost.
     *
     * @param until later time is not known yet
     * @return the active entries, then the lost ones, then the overrun; each by reservation and
     *     resource, in the order of time
     */
    public static List<Entry> of(Bookings bookings, Instant until) {
        List<Entry> entries = new ArrayList<>();
        for (What what : What.values()) {
            for (Stretch stretch : bookings.stretches()) {
                add(entry(stretch, what, until), entries);
            }
        }
        return entries;
    }

    private static Entry entry(Stretch stretch, What what, Instant until) {
        int promised = stretch.slots();
        int active = Math.min(promised, stretch.given());
        return new Entry(
                stretch.reservation(),
                stretch.resource(),
                stretch.promised(),
                what,
                switch (what) {
                    case ACTIVE -> active;
                    case LOST -> promised - active;
                    case OVERRUN -> Math.max(0, stretch.held() - promised);
                },
                stretch.starts(),
                stretch.ends().isAfter(until) ? until : stretch.ends());
    }

    private static void add(Entry entry, List<Entry> entries) {
        if (entry.slots() == 0 || !entry.starts().isBefore(entry.ends())) {
            return;
        }
        if (!entries.isEmpty() && entry.continues(entries.getLast())) {
            Entry before = entries.removeLast();
            entries.add(before.during(before.starts(), entry.ends()));
        } else {
            entries.add(entry);
        }
    }
}
