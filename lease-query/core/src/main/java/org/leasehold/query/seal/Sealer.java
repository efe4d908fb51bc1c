package org.leasehold.query.seal;

import org.leasehold.history.RecordedEvent;
import org.leasehold.query.projection.Projection;
import org.leasehold.seal.EventEnvelope;
import org.leasehold.seal.Hash;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The sealer of each event, once, in the order of the positions, like a read model. It is no read
 * model, and has no {@link org.leasehold.query.rebuild.Rebuildable}: a seal that is rebuilt from an
 * edited event would hide the edit.
 */
final class Sealer implements Projection {

    /** The name in the table {@code projection}. */
    static final String NAME = "seals";

    static final String SEAL = "seal";
    static final String STREAM = "sealed_stream";

    private static final String EVENTS =
            """
            SELECT %s, CASE
                WHEN e.stream_type IN ('Lease', 'Use') THEN (SELECT first.payload ->> 'projectId' FROM domain_event first
                                   WHERE first.stream_id = e.stream_id AND first.sequence = 0)
                END AS project_id
            FROM domain_event e WHERE e.position BETWEEN ? AND ? ORDER BY e.position
            """
                    .formatted(EventEnvelopeMapper.COLUMNS);

    private static final String SELECT_PREVIOUS_HASHES =
            """
            SELECT stream_id, hash FROM sealed_stream WHERE stream_id IN (
                SELECT stream_id FROM domain_event WHERE position BETWEEN ? AND ?)
            """;

    private static final String UPSERT_STREAM =
            """
            INSERT INTO sealed_stream (stream_id, project_id, sequence, hash) VALUES (?, ?, ?, ?)
            ON CONFLICT (stream_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash
            """;

    /** The project of events that belong to no lease. */
    static final String NO_PROJECT = "-";

    private final JdbcTemplate jdbc;

    Sealer(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> tables() {
        return List.of(SEAL, STREAM);
    }

    @Override
    public void apply(List<RecordedEvent> events, UnaryOperator<String> table) {
        long first = events.getFirst().position();
        long last = events.getLast().position();
        Map<String, Hash> streams = new HashMap<>();
        jdbc.query(
                SELECT_PREVIOUS_HASHES,
                row -> {
                    streams.put(row.getString(1), Hash.of(row.getBytes(2)));
                },
                first,
                last);
        Map<String, Object[]> standing = new HashMap<>();
        List<Object[]> seals = new ArrayList<>();
        Hash[] chain = {lastChain()};
        jdbc.query(
                EVENTS,
                row -> {
                    EventEnvelope event = EventEnvelopeMapper.of(row);
                    String stream = event.stream();
                    Hash before = streams.getOrDefault(stream, Hash.NONE);
                    Hash hash = Hash.ofEvent(before, event.line());
                    chain[0] = Hash.chained(chain[0], hash);
                    streams.put(stream, hash);
                    String project = row.getString("project_id");
                    standing.put(
                            stream,
                            new Object[] {
                                stream,
                                project == null ? NO_PROJECT : project,
                                event.sequence(),
                                hash.bytes()
                            });
                    seals.add(
                            new Object[] {
                                event.position(),
                                stream,
                                event.sequence(),
                                hash.bytes(),
                                chain[0].bytes()
                            });
                },
                first,
                last);
        jdbc.batchUpdate("INSERT INTO seal VALUES (?, ?, ?, ?, ?)", seals);
        jdbc.batchUpdate(UPSERT_STREAM, List.copyOf(standing.values()));
    }

    private Hash lastChain() {
        List<byte[]> last =
                jdbc.queryForList(
                        "SELECT chain FROM seal ORDER BY position DESC LIMIT 1", byte[].class);
        return last.isEmpty() ? Hash.NONE : Hash.of(last.getFirst());
    }
}
