package org.leasehold.query.seal;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.AuditExport;
import org.leasehold.readmodel.audit.SignedHeads;
import org.leasehold.readmodel.audit.SignedHeads.VerificationKey;
import org.leasehold.seal.EventEnvelope;
import org.leasehold.seal.ExportLine;
import org.leasehold.seal.ExportLine.Beginning;
import org.leasehold.seal.ExportLine.Event;
import org.leasehold.seal.ExportLine.EventLocation;
import org.leasehold.seal.ExportLine.SignedHead;
import org.leasehold.seal.ExportLine.Stream;
import org.leasehold.seal.ExportLine.Withheld;
import org.leasehold.seal.Hash;
import org.leasehold.seal.TrustedKeys;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The export of events and their seals, unchanged: the engine does not judge whether they match.
 * Each batch is a new query. Data that was read does not change, and a cursor would hold a
 * connection and the database's old rows during a slow download.
 */
final class PostgresAuditExport implements AuditExport {

    static final int BATCH_SIZE = 100;

    private static final String EVENTS =
            """
            SELECT %s, s.hash, coalesce(t.project_id, '-') AS project_id
            FROM domain_event e LEFT JOIN seal s ON s.position = e.position
                LEFT JOIN sealed_stream t ON t.stream_id = e.stream_id
            WHERE e.position > ? AND e.position <= ? ORDER BY e.position LIMIT ?
            """
                    .formatted(EventEnvelopeMapper.COLUMNS);

    private static final String HEAD =
            """
            SELECT number, position, head, signature FROM seal_head
            WHERE number > ? AND number <= ? ORDER BY number LIMIT 1
            """;

    private final JdbcClient jdbc;
    private final SignedHeads signedHeads;

    PostgresAuditExport(JdbcClient jdbc, SignedHeads signedHeads) {
        this.jdbc = jdbc;
        this.signedHeads = signedHeads;
    }

    /** A head, and its last position. */
    private record Until(long number, long position, SignedHead line) {}

    private record Sealed(EventEnvelope event, Hash hash, String project) {}

    @Override
    public long lastHead() {
        return jdbc.sql("SELECT coalesce(max(number), 0) FROM seal_head")
                .query(Long.class)
                .single();
    }

    @Override
    public void write(long head, String installation, Discretion discretion, Lines lines)
            throws IOException {
        lines.write(new Beginning(ExportLine.VERSION, installation, head).text());
        writeKeys(lines);
        long position = 0;
        Optional<Until> next = headAfter(0, head);
        while (next.isPresent()) {
            Until until = next.get();
            writeEvents(position, until.position(), discretion, lines);
            lines.write(until.line().text());
            position = until.position();
            next = headAfter(until.number(), head);
        }
    }

    private void writeKeys(Lines lines) throws IOException {
        String marker = null;
        do {
            Page<VerificationKey> page = signedHeads.keys(marker, BATCH_SIZE);
            for (VerificationKey key : page.items()) {
                lines.write(
                        new ExportLine.Key(
                                        new TrustedKeys.Shown(
                                                key.id(),
                                                key.publicKey(),
                                                key.signedBy(),
                                                key.signature()))
                                .text());
            }
            marker = page.next();
        } while (marker != null);
    }

    private void writeEvents(long after, long last, Discretion discretion, Lines lines)
            throws IOException {
        List<Sealed> batch = loadEvents(after, last);
        while (!batch.isEmpty()) {
            for (Sealed event : batch) {
                lines.write(line(event, discretion).text());
            }
            batch =
                    batch.size() < BATCH_SIZE
                            ? List.of()
                            : loadEvents(batch.getLast().event().position(), last);
        }
    }

    private static ExportLine line(Sealed sealed, Discretion discretion) {
        EventEnvelope event = sealed.event();
        return switch (discretion.of(event.streamType(), event.stream(), event.payload())) {
            case WHOLE -> new Event(event.line(), sealed.hash());
            case STREAM ->
                    withheld(
                            sealed, new Stream(event.stream(), event.sequence(), sealed.project()));
            case NOTHING -> withheld(sealed, null);
        };
    }

    private static Withheld withheld(Sealed sealed, @Nullable Stream stream) {
        return new Withheld(new EventLocation(sealed.event().position(), stream), sealed.hash());
    }

    private List<Sealed> loadEvents(long after, long last) {
        return jdbc.sql(EVENTS)
                .params(after, last, BATCH_SIZE)
                .query(
                        (row, _) ->
                                new Sealed(
                                        EventEnvelopeMapper.of(row),
                                        hash(row),
                                        row.getString("project_id")))
                .list();
    }

    /** Returns the seal; an event without one, although a head covers it, has none. */
    private static Hash hash(ResultSet row) throws SQLException {
        byte[] hash = row.getBytes("hash");
        return hash == null ? Hash.NONE : Hash.of(hash);
    }

    private Optional<Until> headAfter(long number, long last) {
        return jdbc.sql(HEAD)
                .params(number, last)
                .query(
                        (row, _) ->
                                new Until(
                                        row.getLong(1),
                                        row.getLong(2),
                                        new SignedHead(
                                                row.getString(3),
                                                Base64.getEncoder()
                                                        .encodeToString(row.getBytes(4)))))
                .optional();
    }
}
