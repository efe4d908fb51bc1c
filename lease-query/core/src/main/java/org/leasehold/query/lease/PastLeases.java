package org.leasehold.query.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.query.Direction;
import org.leasehold.query.LeaseView;
import org.leasehold.query.Leases.ListLeases;
import org.leasehold.query.Page;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Lists of leases as they were. Which there were is found by the entries of their requests, and
 * each is folded anew from the events that it had. What it looked like is known after that only, so
 * that many may have to be looked at for a few.
 */
final class PastLeases {

    /** Folded together: one statement reads their events. */
    private static final int MOST_AT_ONCE = 200;

    private static final int FEWEST_AT_ONCE = 50;

    /** Enough for the longest page if half of the leases have been deleted by then. */
    private static final int MOST_LOOKED_AT = 2000;

    private final JdbcTemplate jdbc;
    private final EventStreams streams;

    PastLeases(JdbcTemplate jdbc, EventStreams streams) {
        this.jdbc = jdbc;
        this.streams = streams;
    }

    /** A lease and the position at which it was asked for, which is where a page may end. */
    private record Placed<T>(long position, T lease) {}

    Page<LeaseView> page(ListLeases question, long asOf) {
        String marker = question.marker();
        Long place = marker == null ? null : Page.place(marker, Long::valueOf);
        List<Placed<LeaseView>> found = new ArrayList<>();
        for (int lookedAt = 0; lookedAt < MOST_LOOKED_AT; ) {
            int wanted =
                    Math.clamp(question.limit() + 1L - found.size(), FEWEST_AT_ONCE, MOST_AT_ONCE);
            List<Placed<String>> requests = requests(question, asOf, place, wanted);
            found.addAll(matching(question, asOf, requests));
            if (found.size() > question.limit() || requests.size() < wanted) {
                return Page.of(found, question.limit(), last -> Long.toString(last.position()))
                        .map(Placed::lease);
            }
            place = requests.getLast().position();
            lookedAt += wanted;
        }
        return new Page<>(
                found.stream().map(Placed::lease).toList(),
                Objects.requireNonNull(place).toString());
    }

    private List<Placed<String>> requests(
            ListLeases question, long asOf, @Nullable Long place, int wanted) {
        boolean up = question.direction() == Direction.ASCENDING;
        StringBuilder conditions = new StringBuilder("event_type = 'LeaseRequested'");
        List<Object> values = new ArrayList<>();
        conditions.append(" AND position <= ?");
        values.add(asOf);
        if (place != null) {
            conditions.append(up ? " AND position > ?" : " AND position < ?");
            values.add(place);
        }
        if (question.project() != null) {
            conditions.append(" AND project_id = ?");
            values.add(question.project().value());
        }
        return jdbc.query(
                "SELECT position, stream_id FROM event_entry WHERE %s ORDER BY position%s LIMIT %s"
                        .formatted(conditions, up ? "" : " DESC", wanted),
                (row, _) -> new Placed<>(row.getLong(1), row.getString(2)),
                values.toArray());
    }

    private List<Placed<LeaseView>> matching(
            ListLeases question, long asOf, List<Placed<String>> requests) {
        List<String> ids = requests.stream().map(Placed::lease).toList();
        ConnectionCallback<List<RecordedEvent>> reading =
                connection -> streams.read(connection, ids, asOf);
        Map<String, List<RecordedEvent>> lives =
                Objects.requireNonNull(jdbc.execute(reading)).stream()
                        .collect(Collectors.groupingBy(RecordedEvent::stream));
        List<Placed<LeaseView>> matching = new ArrayList<>();
        for (Placed<String> request : requests) {
            LeaseView lease = LeaseFold.of(lives.getOrDefault(request.lease(), List.of()));
            if (lease != null && matches(question, lease)) {
                matching.add(new Placed<>(request.position(), lease));
            }
        }
        return matching;
    }

    private static boolean matches(ListLeases question, LeaseView lease) {
        return (question.statuses().isEmpty() || question.statuses().contains(lease.status()))
                && (question.name() == null || question.name().equals(lease.name()));
    }
}
