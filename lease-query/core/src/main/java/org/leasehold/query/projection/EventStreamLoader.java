package org.leasehold.query.projection;

import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Loads complete event streams, all at once, for read models that depend on them. */
public final class EventStreamLoader {

    private final JdbcTemplate jdbc;
    private final EventStreams streams;

    public EventStreamLoader(JdbcTemplate jdbc, EventStreams streams) {
        this.jdbc = jdbc;
        this.streams = streams;
    }

    /**
     * Returns the streams of some events, each from its first event to the last of these. A stream
     * that begins among them is complete without a read.
     *
     * @param type of the relevant events
     */
    public Collection<List<RecordedEvent>> loadStreams(List<RecordedEvent> events, Class<?> type) {
        Map<String, List<RecordedEvent>> lives = new LinkedHashMap<>();
        for (RecordedEvent event : events) {
            if (type.isInstance(event.event())) {
                lives.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
            }
        }
        List<String> begun =
                lives.entrySet().stream()
                        .filter(life -> life.getValue().getFirst().sequence() > 0)
                        .map(Map.Entry::getKey)
                        .toList();
        if (!begun.isEmpty()) {
            begun.forEach(lives::remove);
            long last = events.getLast().position();
            ConnectionCallback<List<RecordedEvent>> reading =
                    connection -> streams.read(connection, begun, last);
            for (RecordedEvent event : Objects.requireNonNull(jdbc.execute(reading))) {
                lives.computeIfAbsent(event.stream(), _ -> new ArrayList<>()).add(event);
            }
        }
        return lives.values();
    }
}
