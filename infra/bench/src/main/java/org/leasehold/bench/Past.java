package org.leasehold.bench;

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
 * A long history, written by the database while no engine runs: one lease lives, and its events are
 * copied under other ids. The copies stand at positions that every process has passed, so that none
 * reacts to them; only the sealer is put back before them, and seals them when an engine starts.
 */
record Past(Site site, PrintStream out) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** So many leases begin before one starts, and as many before one ends. */
    private static final int BETWEEN = 10_000;

    private static final int AT_ONCE = 10_000;

    private static final String FOLLOWED =
            """
            SELECT coalesce(min(position), 0)
            FROM (SELECT (convert_from(token, 'UTF8')::json ->> 'globalIndex')::bigint AS position
                  FROM token_entry UNION ALL SELECT position FROM projection) follower\
            """;

    private static final String COPY =
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

    /** Writes at least so many events; the engine is killed by it. */
    void write(int events) throws IOException, SQLException, InterruptedException {
        Database database = site.database();
        JsonNode lease = live();
        String id = lease.path("id").asString();
        long ofOne =
                database.number("SELECT count(*) FROM domain_event WHERE stream_id = '" + id + "'");
        int lives = (int) Math.ceilDiv(events, ofOne);
        int slots = lives + 2 * BETWEEN;
        long before = database.number("SELECT max(position) FROM domain_event");
        jump(before + (slots + 1) * 16L);
        // It keeps the latest events in mind, and would look for none between them.
        site.engine().kill();
        try (Connection connection = database.connect();
                PreparedStatement copy = connection.prepareStatement(COPY)) {
            for (int slot = 1; slot <= slots; slot += AT_ONCE) {
                copy.setLong(1, before);
                copy.setString(2, lease.at("/reservations/0/id").asString());
                copy.setInt(3, slot);
                copy.setInt(4, Math.min(slots, slot + AT_ONCE - 1));
                copy.setString(5, id);
                copy.setInt(6, BETWEEN);
                copy.setInt(7, lives);
                copy.executeUpdate();
            }
        }
        unseal(before);
        database.execute("VACUUM ANALYZE domain_event");
        out.printf(Locale.ROOT, "the past is %,d leases of %d events each%n", lives, ofOne);
    }

    /**
     * What stands where all is sealed already is a forgery, and verify says so: from there on it is
     * sealed once more.
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

    /** From the request to the end, so that nothing of it is left but history. */
    private JsonNode live() throws IOException, SQLException, InterruptedException {
        JsonNode lease = reserve("past", Instant.now());
        String path = "/api/leases/" + lease.path("id").asString();
        Site.await(() -> status(path).equals("active"));
        site.gateway().post(path + "/end", "{}");
        Site.await(() -> status(path).equals("ended"));
        return lease;
    }

    private JsonNode reserve(String name, Instant start) throws IOException {
        Load.Answer answer = site.fleet().reserve(name, start, start.plus(Duration.ofHours(1)));
        if (!answer.isGood()) {
            throw new IllegalStateException(answer.text());
        }
        return JSON.readTree(answer.text());
    }

    private String status(String path) throws IOException {
        return JSON.readTree(site.gateway().get(path).text()).path("status").asString();
    }

    /** Has the next event far away, and all processes behind it. */
    private void jump(long position) throws IOException, SQLException, InterruptedException {
        Database database = site.database();
        database.number(
                "SELECT setval(pg_get_serial_sequence('domain_event', 'position'), "
                        + position
                        + ")");
        reserve("future", Instant.now().plus(Duration.ofDays(100)));
        awaitFollowed(database, position);
    }

    /** Until all that follow the events stand at a position, the sealer among them. */
    static void awaitFollowed(Database database, long position)
            throws IOException, SQLException, InterruptedException {
        Site.await(() -> database.number(FOLLOWED) >= position);
    }
}
