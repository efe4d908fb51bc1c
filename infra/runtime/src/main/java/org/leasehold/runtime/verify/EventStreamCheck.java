package org.leasehold.runtime.verify;

import org.leasehold.history.RecordedEvent;
import org.leasehold.history.RecordedEvent.Unreadable;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.UseObserved;

import java.util.ArrayList;
import java.util.List;

/** Checks that an event stream has not changed since it was written. */
final class EventStreamCheck {

    private static final String TABLE = "domain_event";

    private EventStreamCheck() {}

    /** Returns the errors of an event stream; a stream with errors cannot be replayed. */
    static List<VerificationDifference> findDifferences(List<RecordedEvent> stream) {
        List<VerificationDifference> differences = new ArrayList<>();
        long position = 0;
        long sequence = 0;
        for (RecordedEvent event : stream) {
            String where = "stream %s event %s".formatted(event.stream(), event.sequence());
            if (event.sequence() != sequence) {
                differences.add(
                        new VerificationDifference(
                                TABLE, where, "event " + sequence + " before it", "a gap"));
            }
            if (event.position() <= position) {
                differences.add(
                        new VerificationDifference(
                                TABLE,
                                where,
                                "a position after " + position,
                                Long.toString(event.position())));
            }
            if (event.event() instanceof Unreadable(String type, String reason)) {
                differences.add(
                        new VerificationDifference(TABLE, where, "a readable " + type, reason));
            } else if (!subject(event.event()).equals(event.stream())) {
                differences.add(
                        new VerificationDifference(
                                TABLE, where, "an event of its stream", event.event().toString()));
            }
            position = event.position();
            sequence = event.sequence() + 1;
        }
        return differences;
    }

    private static String subject(Object event) {
        return switch (event) {
            case LeaseEvent lease -> lease.leaseId().toString();
            case ResourceEvent resource -> resource.resourceId().toString();
            case PropertyVisibility property -> property.kind() + "/" + property.property();
            case UseObserved use -> use.stream();
            default -> "";
        };
    }
}
