package org.leasehold.query.seal;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.ConsistencyCheck;
import org.leasehold.history.Invariant;
import org.leasehold.seal.Hash;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The check that every event matches its seal, up to the sealer's position. An event is checked
 * with the earlier seal of its stream. An edited event is therefore reported alone, and not all
 * that follow.
 */
final class SealInspection implements ConsistencyCheck {

    private static final int FETCH_SIZE = 2000;

    private static final String EVENT = "domain_event";

    private static final String SELECT_SEALED_EVENTS =
            """
            SELECT coalesce(e.position, s.position) AS place, %s, s.position AS sealed,
                s.stream_id AS sealed_stream, s.sequence AS sealed_sequence, s.hash, s.chain,
                before.hash AS before
            FROM (SELECT * FROM domain_event WHERE position <=
                     (SELECT position FROM projection WHERE name = 'seals')) e
                FULL JOIN seal s ON s.position = e.position
                LEFT JOIN seal before
                    ON before.stream_id = e.stream_id AND before.sequence = e.sequence - 1
            ORDER BY place
            """
                    .formatted(EventEnvelopeMapper.COLUMNS);

    static final Invariant STREAMS_MATCH_LAST_SEALS =
            new Invariant(
                    Sealer.STREAM,
                    """
                    SELECT 'stream ' || stream_id, coalesce(expected.standing::text, 'nothing'),
                        coalesce(found.standing::text, 'nothing')
                    FROM (SELECT DISTINCT ON (s.stream_id) s.stream_id,
                              ROW(coalesce(first.payload ->> 'projectId', '-'),
                                  s.sequence, s.hash) AS standing
                          FROM seal s LEFT JOIN domain_event first
                              ON first.stream_type IN ('Lease', 'Use')
                              AND first.stream_id = s.stream_id AND first.sequence = 0
                          ORDER BY s.stream_id, s.sequence DESC) expected
                        FULL JOIN (SELECT stream_id, ROW(project_id, sequence, hash) AS standing
                                   FROM sealed_stream) found USING (stream_id)
                    WHERE expected.standing IS DISTINCT FROM found.standing
                    ORDER BY stream_id
                    """);

    @Override
    public void inspect(Connection connection, Finding findings) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT_SEALED_EVENTS)) {
            select.setFetchSize(FETCH_SIZE);
            try (ResultSet row = select.executeQuery()) {
                Hash chain = Hash.NONE;
                while (row.next()) {
                    chain = inspect(row, chain, findings);
                }
            }
        }
    }

    /** Returns the stored chain up to here. */
    private static Hash inspect(ResultSet row, Hash chain, Finding findings) throws SQLException {
        String where = "position " + row.getLong("place");
        Hash sealed = hash(row, "hash");
        if (sealed == null) {
            findings.report(Sealer.SEAL, where, "the seal of the event that is there", "nothing");
            return chain;
        }
        if (row.getString("stream_id") == null) {
            findings.report(
                    EVENT,
                    where,
                    "event %s of stream %s, which was sealed"
                            .formatted(
                                    row.getLong("sealed_sequence"), row.getString("sealed_stream")),
                    "nothing");
        } else {
            inspectEvent(row, where, sealed, findings);
        }
        Hash kept = Hash.of(row.getBytes("chain"));
        Hash expected = Hash.chained(chain, sealed);
        if (!expected.equals(kept)) {
            findings.report(Sealer.SEAL, where + " chain", expected.hex(), kept.hex());
        }
        return kept;
    }

    private static void inspectEvent(ResultSet row, String where, Hash sealed, Finding findings)
            throws SQLException {
        Hash before = hash(row, "before");
        Hash found =
                Hash.ofEvent(
                        before == null ? Hash.NONE : before, EventEnvelopeMapper.of(row).line());
        if (!found.equals(sealed)) {
            findings.report(
                    EVENT,
                    where,
                    "the event that was sealed as " + sealed,
                    "one that is sealed as " + found);
        }
    }

    private static @Nullable Hash hash(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : Hash.of(bytes);
    }
}
