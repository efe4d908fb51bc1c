package org.leasehold.bench.event;

import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.site.BenchmarkSite;
import org.leasehold.bench.site.Database;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A long history, written by the database while no engine runs: one lease runs, and its events are
 * copied under other ids. The copies have positions that all consumers have passed, so that none
 * reacts to them. Only the sealer's position is reset, and it seals them when an engine starts.
 */
public record HistoryGenerator(BenchmarkSite site, PrintStream out) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The number of leases that begin before one starts, and before one ends. */
    private static final int LEASES_PER_PHASE = 10_000;

    private static final int BATCH_SIZE = 10_000;

    private static final String MIN_CONSUMER_POSITION_QUERY =
            """
            SELECT coalesce(min(position), 0)
            FROM (SELECT (convert_from(token, 'UTF8')::json ->> 'globalIndex')::bigint AS position
                  FROM token_entry UNION ALL SELECT position FROM projection) follower\
            """;

    private static final String COPY_STATEMENT =
            """
            INSERT INTO domain_event (position, event_id, stream_type, stream_id, sequence,
                event_type, event_version, payload, metadata, decided_at, recorded_at)
            OVERRIDING SYSTEM VALUE
            SELECT ? + slot * 16 + e.sequence, gen_random_uuid(), e.stream_type, copy.lease,
                e.sequence, e.event_type, e.event_version,
                replace(replace(e.payload::text, e.stream_id, copy.lease), ?, copy.reservation)::jsonb,
                e.metadata, e.decided_at - interval '90 days' + n * interval '1 s', e.recorded_at
            FROM generate_series(?, ?) slot,
                LATERAL (SELECT *, CASE WHEN event_type IN ('LeaseRequested', 'ReservationGranted')
                                        THEN 0
                                        WHEN event_type IN ('LeaseStarting', 'LeaseActivated',
                                                            'ReservationActivated')
                                        THEN 1 ELSE 2 END AS phase
                         FROM domain_event WHERE stream_id = ? ORDER BY sequence) e,
                LATERAL (SELECT slot - e.phase * ? AS n) life,
                LATERAL (SELECT md5('lease' || n)::uuid::text AS lease,
                                md5('reservation' || n)::uuid::text AS reservation) copy
            WHERE n BETWEEN 1 AND ?
            """;

    /** Writes at least a number of events, and kills the engine. */
    public void write(int events) throws IOException, SQLException, InterruptedException {
        Database database = site.database();
        JsonNode lease = runLeaseToEnd();
        String id = lease.path("id").asString();
        long ofOne =
                database.queryNumber(
                        "SELECT count(*) FROM domain_event WHERE stream_id = '" + id + "'");
        int lives = (int) Math.ceilDiv(events, ofOne);
        int slots = lives + 2 * LEASES_PER_PHASE;
        long before = database.queryNumber("SELECT max(position) FROM domain_event");
        advancePosition(before + (slots + 1) * 16L);
        // It caches the latest events, and would not look for others between them.
        site.engine().kill();
        try (Connection connection = database.connect();
                PreparedStatement copy = connection.prepareStatement(COPY_STATEMENT)) {
            for (int slot = 1; slot <= slots; slot += BATCH_SIZE) {
                copy.setLong(1, before);
                copy.setString(2, lease.at("/reservations/0/id").asString());
                copy.setInt(3, slot);
                copy.setInt(4, Math.min(slots, slot + BATCH_SIZE - 1));
                copy.setString(5, id);
                copy.setInt(6, LEASES_PER_PHASE);
                copy.setInt(7, lives);
                copy.executeUpdate();
            }
        }
        unseal(before);
        database.execute("VACUUM ANALYZE domain_event");
        out.printf(Locale.ROOT, "the past is %,d leases of %d events each%n", lives, ofOne);
    }

    /**
     * Resets the seals. An event between sealed ones is a forgery, and verify reports it: all later
     * events are sealed again.
     */
    private void unseal(long before) throws SQLException {
        site.database()
                .execute(
                        """
                        UPDATE projection SET position = %1$s WHERE name = 'seals';
                        DELETE FROM sealed_stream WHERE stream_id IN
                            (SELECT stream_id FROM seal WHERE position > %1$s);
                        DELETE FROM seal WHERE position > %1$s;
                        """
                                .formatted(before));
    }

    /** Runs a lease from the request to the end, so that only its history is left. */
    private JsonNode runLeaseToEnd() throws IOException, SQLException, InterruptedException {
        JsonNode lease = reserve("past", Instant.now());
        String path = "/api/leases/" + lease.path("id").asString();
        BenchmarkSite.await(() -> status(path).equals("active"));
        site.gateway().post(path + "/end", "{}");
        BenchmarkSite.await(() -> status(path).equals("ended"));
        return lease;
    }

    private JsonNode reserve(String name, Instant start) throws IOException {
        LoadGenerator.Answer answer =
                site.fleet().reserve(name, start, start.plus(Duration.ofHours(1)));
        if (!answer.isSuccess()) {
            throw new IllegalStateException(answer.text());
        }
        return JSON.readTree(answer.text());
    }

    private String status(String path) throws IOException {
        return JSON.readTree(site.gateway().get(path).text()).path("status").asString();
    }

    /** Moves the next position far ahead, and all consumers behind it. */
    private void advancePosition(long position)
            throws IOException, SQLException, InterruptedException {
        Database database = site.database();
        database.queryNumber(
                "SELECT setval(pg_get_serial_sequence('domain_event', 'position'), "
                        + position
                        + ")");
        reserve("future", Instant.now().plus(Duration.ofDays(100)));
        awaitConsumers(database, position);
    }

    /** Waits until all consumers, including the sealer, have reached a position. */
    static void awaitConsumers(Database database, long position)
            throws IOException, SQLException, InterruptedException {
        BenchmarkSite.await(() -> database.queryNumber(MIN_CONSUMER_POSITION_QUERY) >= position);
    }
}
