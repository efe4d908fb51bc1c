package org.leasehold.readmodel.lease;

import org.leasehold.readmodel.SortDirection;

import java.util.Comparator;

/** The order of a list of leases. */
public record LeaseOrder(Key key, SortDirection direction) {

    public static final LeaseOrder OLDEST_FIRST =
            new LeaseOrder(Key.CREATED, SortDirection.ASCENDING);

    /** The first sort key. Leases with equal keys have an order, too: pages need one. */
    public enum Key {
        /** The time of the creation. */
        CREATED,
        /** The start of the window, then its end. */
        START,
        /** The end of the window, then its start. */
        END
    }

    public Comparator<LeaseView> comparator() {
        Comparator<LeaseView> byStart = Comparator.comparing(lease -> lease.period().start());
        Comparator<LeaseView> byEnd = Comparator.comparing(lease -> lease.period().end());
        Comparator<LeaseView> ascending =
                switch (key) {
                    case CREATED -> Comparator.comparing(LeaseView::createdAt);
                    case START -> byStart.thenComparing(byEnd);
                    case END -> byEnd.thenComparing(byStart);
                };
        // The text has the order of PostgreSQL's uuid; the order of Java's is another.
        Comparator<LeaseView> total = ascending.thenComparing(lease -> lease.id().toString());
        return direction == SortDirection.ASCENDING ? total : total.reversed();
    }
}
