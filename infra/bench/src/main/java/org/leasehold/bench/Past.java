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

/**
 * A long history, written behind the back of the running engine: one lease lives, and its events
 * are copied under other ids. The copies stand at positions that every process has passed, so that
 * none reacts to them.
 */
record Past(Gateway gateway, Database database, PrintStream out) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** So many leases begin before one starts, and as many before one ends. */
    private static final int BETWEEN = 10_000;

    private static final int AT_ONCE = 10_000;

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

    /** Writes at least so many events and returns how many they are. */
    long write(int events) throws IOException, SQLException, InterruptedException {
        JsonNode lease = live();
        String id = lease.path("id").asString();
        // One more is about to come.
        long ofOne =
                1
                        + database.number(
                                "SELECT count(*) FROM domain_event WHERE stream_id = '" + id + "'");
        int lives = (int) Math.ceilDiv(events, ofOne);
        int slots = lives + 2 * BETWEEN;
        long before = database.number("SELECT max(position) FROM domain_event");
        jump(id, before + (slots + 1) * 16L);
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
        database.execute("VACUUM ANALYZE domain_event");
        out.printf("the past is %d leases of %d events each%n", lives, ofOne);
        return lives * ofOne;
    }

    /** From the request to the end, so that nothing of it is left but history. */
    private JsonNode live() throws IOException, InterruptedException {
        Instant end = Instant.now().plus(Duration.ofHours(1));
        JsonNode lease =
                JSON.readTree(
                        gateway.post(
                                        "/api/leases",
                                        """
                                        {"name": "past", "end": "%s", "before_end": "%s",
                                         "reservations": [{"kind": "physical:host", "parameters": %s}]}\
                                        """
                                                .formatted(
                                                        end,
                                                        end.minusSeconds(60),
                                                        Fleet.parameters(1, Fleet.FILTER)))
                                .expect(201)
                                .text());
        String path = "/api/leases/" + lease.path("id").asString();
        await(path, "active");
        gateway.post(path + "/end", "{}").expect(200);
        await(path, "ended");
        return lease;
    }

    private void await(String path, String status) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(deadline)) {
            if (JSON.readTree(gateway.get(path).expect(200).text())
                    .path("status")
                    .asString()
                    .equals(status)) {
                return;
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException(path + " does not become " + status);
    }

    /** Has the next event far away, and all processes behind it. */
    private void jump(String lease, long position)
            throws IOException, SQLException, InterruptedException {
        database.number(
                "SELECT setval(pg_get_serial_sequence('domain_event', 'position'), "
                        + position
                        + ")");
        gateway.patch("/api/leases/" + lease, "{\"name\": \"template\"}").expect(200);
        Instant deadline = Instant.now().plus(PATIENCE);
        while (database.number(
                        """
                        SELECT coalesce(min((convert_from(token, 'UTF8')::json
                            ->> 'globalIndex')::bigint), 0) FROM token_entry
                        """)
                < position) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("Some process does not follow");
            }
            Thread.sleep(100);
        }
    }
}
