package org.leasehold.query.lease;

import static org.leasehold.readmodel.lease.ScheduledEventView.Type.BEFORE_END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.END_LEASE;
import static org.leasehold.readmodel.lease.ScheduledEventView.Type.START_LEASE;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The timed steps of a lease, in order. */
final class ScheduledEvents {

    private ScheduledEvents() {}

    static List<ScheduledEventView> of(
            LeaseId lease, LeasePeriod period, @Nullable Instant beforeEnd, Instant at) {
        return rescheduled(List.of(), lease, period, beforeEnd, at);
    }

    static List<ScheduledEventView> rescheduled(
            List<ScheduledEventView> events,
            LeaseId lease,
            LeasePeriod period,
            @Nullable Instant beforeEnd,
            Instant at) {
        List<ScheduledEventView> result = new ArrayList<>();
        result.add(due(events, lease, START_LEASE, period.start(), at));
        if (beforeEnd != null) {
            result.add(due(events, lease, BEFORE_END_LEASE, beforeEnd, at));
        }
        result.add(due(events, lease, END_LEASE, period.end(), at));
        return result;
    }

    private static ScheduledEventView due(
            List<ScheduledEventView> events,
            LeaseId lease,
            ScheduledEventView.Type type,
            Instant time,
            Instant at) {
        return events.stream()
                .filter(event -> event.type() == type)
                .findFirst()
                .map(event -> moved(event, time, at))
                .orElseGet(() -> created(lease, type, time, at));
    }

    static ScheduledEventView withStatus(
            ScheduledEventView event, ScheduledEventView.Status status, Instant at) {
        return event.status() == status ? event : changed(event, event.time(), status, at);
    }

    private static ScheduledEventView moved(ScheduledEventView event, Instant time, Instant at) {
        if (event.time().equals(time)) {
            return event;
        }
        // An announced end is announced again when it has moved to a later time.
        boolean rearmed = event.type() == BEFORE_END_LEASE && time.isAfter(event.time());
        return changed(
                event, time, rearmed ? ScheduledEventView.Status.UNDONE : event.status(), at);
    }

    private static ScheduledEventView changed(
            ScheduledEventView event, Instant time, ScheduledEventView.Status status, Instant at) {
        return new ScheduledEventView(
                event.id(), event.type(), time, status, event.createdAt(), at);
    }

    private static ScheduledEventView created(
            LeaseId lease, ScheduledEventView.Type type, Instant time, Instant at) {
        UUID id =
                UUID.nameUUIDFromBytes((lease.toString() + type).getBytes(StandardCharsets.UTF_8));
        return new ScheduledEventView(id, type, time, ScheduledEventView.Status.UNDONE, at, null);
    }
}
