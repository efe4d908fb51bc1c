package org.leasehold.saga.schedule;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.RecordedEvent;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.reaction.Reaction.CancelTimers;
import org.leasehold.saga.reaction.Reaction.SetTimer;
import org.leasehold.vocabulary.StoredNames;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The timers of a lease, as its events set them; not those that resources or other leases set. A
 * due one may exist or not: it stays until its events are stored, and a little longer.
 */
final class TimerRows implements DerivedRows {

    private static final String OVER = "over";

    @Override
    public String table() {
        return "timer";
    }

    @Override
    public Subject subject() {
        return Subject.LEASE;
    }

    @Override
    public String query() {
        return """
        SELECT split_part(task_instance, ':', 2), task_instance,
               data ->> 'due', data -> 'command' ->> 'type', now()
        FROM timer, LATERAL (SELECT convert_from(task_data, 'UTF8')::json AS data) d
        WHERE task_instance NOT LIKE 'outage:%' AND task_instance NOT LIKE 'early:%'
        ORDER BY 1
        """;
    }

    @Override
    public Row parseRow(ResultSet row) throws SQLException {
        Instant now = row.getObject(5, OffsetDateTime.class).toInstant();
        return row(row.getString(2), Instant.parse(row.getString(3)), row.getString(4), now);
    }

    @Override
    public List<Row> expectedRows(List<RecordedEvent> life, Moment moment) {
        LeaseEvent first = (LeaseEvent) life.getFirst().event();
        List<String> keys = Reaction.cancelAllTimers(first.leaseId()).keys();
        if (life.getLast().position() > moment.followed()) {
            return keys.stream().map(key -> new Row(key, Map.of(), false)).toList();
        }
        Map<String, SetTimer> timers = pendingTimers(life);
        boolean missed =
                timers.values().stream()
                        .filter(timer -> timer.command() instanceof LeaseCommand.EndLease)
                        .anyMatch(timer -> !timer.due().isAfter(moment.now()));
        List<Row> rows = new ArrayList<>();
        for (String key : keys) {
            SetTimer timer = timers.get(key);
            // A start after the end does nothing, and leaves the report to the end.
            if (timer == null || (missed && timer.command() instanceof LeaseCommand.StartLease)) {
                rows.add(new Row(key, Map.of("due", OVER), false));
            } else {
                String command = StoredNames.of(timer.command().getClass());
                Row row = row(key, timer.due(), command, moment.now());
                rows.add(isLeftover(timer, life) ? new Row(key, row.columns(), false) : row);
            }
        }
        return rows;
    }

    /** Returns true for a retry after the last attempt: until it is due, it may stay. */
    private static boolean isLeftover(SetTimer timer, List<RecordedEvent> life) {
        return timer.command() instanceof LeaseCommand.RetryCreation
                && life.stream()
                        .map(RecordedEvent::event)
                        .anyMatch(
                                event ->
                                        event instanceof LeaseEvent.LeaseRequested
                                                || event instanceof LeaseEvent.LeaseRefused);
    }

    private static Row row(String key, Instant due, String command, Instant now) {
        return new Row(
                key, Map.of("due", due.isAfter(now) ? due.toString() : OVER, "sends", command));
    }

    /** Returns the timers that were set, and neither cancelled nor fired. */
    private static Map<String, SetTimer> pendingTimers(List<RecordedEvent> life) {
        Map<String, SetTimer> timers = new TreeMap<>();
        boolean begun = false;
        for (RecordedEvent recorded : life) {
            LeaseEvent event = (LeaseEvent) recorded.event();
            boolean cameRunning =
                    event instanceof LeaseImported imported && imported.past().stage().holds();
            if (cameRunning
                    || event instanceof LeaseDelayed
                    || event instanceof LeaseStarting
                    || event instanceof ReservationFailed) {
                begun = true;
                timers.values().removeIf(t -> t.command() instanceof LeaseCommand.StartLease);
            }
            boolean cameAnnounced =
                    event instanceof LeaseImported imported && imported.past().announced();
            if (cameAnnounced || event instanceof LeaseEndAnnounced) {
                timers.values().removeIf(t -> t.command() instanceof LeaseCommand.AnnounceEnd);
            }
            for (Reaction reaction : Schedule.react(event)) {
                if (reaction instanceof CancelTimers(List<String> keys)) {
                    timers.keySet().removeAll(keys);
                } else if (reaction instanceof SetTimer timer
                        && !(begun && timer.command() instanceof LeaseCommand.StartLease)) {
                    timers.put(timer.key(), timer);
                }
            }
        }
        return timers;
    }
}
