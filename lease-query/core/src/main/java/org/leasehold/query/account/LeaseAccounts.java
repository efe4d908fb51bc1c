package org.leasehold.query.account;

import org.leasehold.query.account.AccountEntry.What;
import org.leasehold.query.booking.AllocationPeriod;
import org.leasehold.query.booking.LeaseBookings;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The account of a lease: its promised resources, and those that it held beyond them. */
public final class LeaseAccounts {

    private LeaseAccounts() {}

    /**
     * Returns the account of one lease. The promised amount is, to the microsecond, the sum of the
     * active and the lost.
     *
     * @param until later time is not known yet
     * @return the active entries, then the lost ones, then the overrun; each by reservation and
     *     resource, in the order of time
     */
    public static List<AccountEntry> of(LeaseBookings bookings, Instant until) {
        List<AccountEntry> entries = new ArrayList<>();
        for (What what : What.values()) {
            for (AllocationPeriod stretch : bookings.periods()) {
                add(entry(stretch, what, until), entries);
            }
        }
        return entries;
    }

    private static AccountEntry entry(AllocationPeriod stretch, What what, Instant until) {
        int promised = stretch.slots();
        int active = Math.min(promised, stretch.given());
        return new AccountEntry(
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

    private static void add(AccountEntry entry, List<AccountEntry> entries) {
        if (entry.slots() == 0 || !entry.starts().isBefore(entry.ends())) {
            return;
        }
        if (!entries.isEmpty() && entry.continues(entries.getLast())) {
            AccountEntry before = entries.removeLast();
            entries.add(before.during(before.starts(), entry.ends()));
        } else {
            entries.add(entry);
        }
    }
}
