package org.leasehold.query.capacity;

import org.leasehold.calendar.Shortage;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationWish;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that was asked for and not to be had.
 *
 * @param lease the id of the lease, as its stream is called
 * @param position of the event that tells it
 * @param number tells it from the event's others
 * @param wish what was required of them, as {@link RefusedWish} has it
 * @param wanted whole resources, or slots
 */
record Refusal(
        String lease,
        long position,
        int number,
        ResourceKind kind,
        String wish,
        int wanted,
        LeasePeriod period) {

    /** Those that events tell. */
    static List<Refusal> among(List<RecordedEvent> events) {
        List<Refusal> refusals = new ArrayList<>();
        for (RecordedEvent event : events) {
            switch (event.event()) {
                case LeaseRefused it ->
                        add(event, it.period(), it.reservations(), it.shortages(), refusals);
                case LeaseChangeRefused it ->
                        add(event, it.period(), it.reservations(), it.shortages(), refusals);
                default -> {
                    // Nothing was refused.
                }
            }
        }
        return refusals;
    }

    private static void add(
            RecordedEvent event,
            LeasePeriod period,
            List<ReservationWish> wishes,
            List<Shortage> shortages,
            List<Refusal> refusals) {
        int number = 0;
        for (Shortage shortage : shortages) {
            refusals.add(
                    new Refusal(
                            event.stream(),
                            event.position(),
                            number++,
                            shortage.kind(),
                            RefusedWish.of(wishes, shortage),
                            shortage.wanted(),
                            period));
        }
    }

    /** Where it is told apart from what was refused to others. */
    Pool pool() {
        return Pool.ofWish(kind, wish);
    }
}
