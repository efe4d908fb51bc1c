package org.leasehold.query.capacity;

import org.leasehold.calendar.Shortage;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeasePeriod;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that was asked for and not to be had.
 *
 * @param lease the id of the lease, as its stream is called
 * @param position of the event that tells it
 * @param number tells it from the event's others
 * @param wanted whole resources, or slots
 */
record Refusal(
        String lease,
        long position,
        int number,
        ResourceKind kind,
        int wanted,
        LeasePeriod period) {

    /** Those that events tell. */
    static List<Refusal> among(List<RecordedEvent> events) {
        List<Refusal> refusals = new ArrayList<>();
        for (RecordedEvent event : events) {
            switch (event.event()) {
                case LeaseRefused refused ->
                        add(event, refused.period(), refused.shortages(), refusals);
                case LeaseChangeRefused refused ->
                        add(event, refused.period(), refused.shortages(), refusals);
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
                            shortage.wanted(),
                            period));
        }
    }
}
