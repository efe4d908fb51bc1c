package org.leasehold.query.seal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.query.projection.EventDatabase;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class SealerTest {

    private static EventDatabase database;

    private final Sealer sealer = new Sealer(database.jdbc());

    @BeforeAll
    static void start() {
        database = new EventDatabase();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE domain_event RESTART IDENTITY;
                        TRUNCATE seal, sealed_stream;
                        UPDATE projection SET position = 0;
                        """);
    }

    @Test
    void every_event_is_sealed_and_every_stream_records_the_last_seal() throws SQLException {
        sixEvents();

        assertThat(database.jdbc().queryForList("SELECT position FROM seal", Long.class))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(
                        database.jdbc()
                                .queryForList(
                                        "SELECT stream_id || ' ' || project_id || ' ' || sequence"
                                                + " FROM sealed_stream ORDER BY stream_id",
                                        String.class))
                .containsExactly("7 - 0", "a astronomy 2", "b biology 1");
        assertThat(wrong()).isEmpty();
    }

    @Test
    void seals_do_not_depend_on_the_batch_size() throws SQLException {
        sixEvents();
        List<Map<String, Object>> oneByOne = seals();
        database.jdbc()
                .execute(
                        "TRUNCATE seal, sealed_stream; UPDATE projection SET position = 0 WHERE"
                                + " name = 'seals'");

        database.follow(sealer);

        assertThat(seals()).isEqualTo(oneByOne).hasSize(6);
        assertThat(wrong()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "payload = payload || '{\"name\": \"another\"}'",
                "payload = payload - 'amount'",
                "payload = jsonb_set(payload, '{amount}', '9007199254740992')",
                "metadata = metadata || '{\"user\": \"eve\"}'",
                "metadata = metadata || '{\"reason\": \"none\"}'",
                "event_id = gen_random_uuid()",
                "event_type = 'LeaseEnded'",
                "event_version = 2",
                "stream_type = 'Resource'",
                "decided_at = decided_at - interval '1 microsecond'",
                "recorded_at = recorded_at + interval '1 microsecond'"
            })
    void verification_reports_only_the_edited_event(String edit) throws SQLException {
        sixEvents();

        database.jdbc().execute("UPDATE domain_event SET " + edit + " WHERE position = 3");

        assertThat(wrong()).singleElement().asString().startsWith("domain_event: position 3: ");
    }

    @Test
    void verification_reports_two_events_with_swapped_sequence_numbers() throws SQLException {
        sixEvents();

        database.jdbc()
                .execute(
                        """
                        UPDATE domain_event SET sequence = 10 WHERE position = 3;
                        UPDATE domain_event SET sequence = 1 WHERE position = 4;
                        UPDATE domain_event SET sequence = 2 WHERE position = 3;
                        """);

        assertThat(wrong()).anyMatch(each -> each.startsWith("domain_event: position 3: "));
        assertThat(wrong()).anyMatch(each -> each.startsWith("domain_event: position 4: "));
    }

    @Test
    void verification_reports_a_removed_event() throws SQLException {
        sixEvents();

        database.jdbc().execute("DELETE FROM domain_event WHERE position = 4");

        assertThat(wrong())
                .containsExactly(
                        "domain_event: position 4: expected event 2 of stream a, which was sealed,"
                                + " found nothing");
    }

    @Test
    void verification_reports_an_event_that_was_removed_with_the_seal() throws SQLException {
        sixEvents();

        database.jdbc()
                .execute(
                        "DELETE FROM domain_event WHERE position = 5;"
                                + " DELETE FROM seal WHERE position = 5");

        assertThat(wrong()).anyMatch(each -> each.startsWith("seal: position 6 chain: "));
    }

    @Test
    void verification_reports_an_inserted_event() throws SQLException {
        sixEvents();
        database.jdbc()
                .execute(
                        """
                        DELETE FROM domain_event WHERE position = 6;
                        DELETE FROM seal WHERE position = 6;
                        UPDATE projection SET position = 7 WHERE name = 'seals';
                        """);
        append("a", "{}");

        assertThat(wrong())
                .anyMatch(
                        each ->
                                each.equals(
                                        "seal: position 7: expected the seal of the event that is"
                                                + " there, found nothing"));
    }

    @Test
    void an_edited_event_with_an_edited_seal_breaks_the_chain() throws SQLException {
        sixEvents();
        List<Map<String, Object>> before = seals();
        database.jdbc()
                .execute(
                        "UPDATE domain_event SET payload = '{\"forged\": 1}' WHERE position = 6;"
                                + " TRUNCATE seal, sealed_stream;"
                                + " UPDATE projection SET position = 0 WHERE name = 'seals'");
        database.follow(sealer);
        Object forged = seals().get(5).get("hash");
        database.jdbc().execute("TRUNCATE seal");
        before.forEach(
                row ->
                        database.jdbc()
                                .update(
                                        "INSERT INTO seal VALUES (?, ?, ?,"
                                                + " decode(?, 'hex'), decode(?, 'hex'))",
                                        row.values().toArray()));
        database.jdbc()
                .update("UPDATE seal SET hash = decode(?, 'hex') WHERE position = 6", forged);

        assertThat(wrong()).singleElement().asString().startsWith("seal: position 6 chain: ");
    }

    @Test
    void verification_compares_a_stream_record_with_the_seals() throws SQLException {
        sixEvents();

        database.jdbc()
                .execute("UPDATE sealed_stream SET project_id = 'eve' WHERE stream_id = 'b'");

        assertThat(wrong()).singleElement().asString().startsWith("sealed_stream: stream b: ");
    }

    @Test
    void an_erasable_origin_is_not_part_of_the_seal() throws SQLException {
        append("a", "{}");
        database.jdbc()
                .execute("UPDATE domain_event SET metadata = metadata || '{\"origin\": \"x\"}'");
        database.follow(sealer);

        database.jdbc().execute("UPDATE domain_event SET metadata = metadata - 'origin'");

        assertThat(seals()).hasSize(1);
        assertThat(wrong()).isEmpty();
    }

    @Test
    void verification_ignores_an_event_that_is_not_sealed_yet() throws SQLException {
        sixEvents();

        append("c", "{\"projectId\": \"chemistry\"}");

        assertThat(wrong()).isEmpty();
    }

    /** Seals events one by one: streams a and b of leases, and one of a resource. */
    private void sixEvents() {
        append("a", "{\"projectId\": \"astronomy\", \"name\": \"telescope\"}");
        database.follow(sealer);
        append("b", "{\"projectId\": \"biology\"}");
        database.follow(sealer);
        append("a", "{\"amount\": 9007199254740993, \"half\": 0.50}");
        database.follow(sealer);
        append("a", "{}");
        database.follow(sealer);
        database.append("Resource", "7", "ResourceEnabled", "{\"resourceId\": 7}", "{}");
        database.follow(sealer);
        append("b", "{}");
        database.follow(sealer);
    }

    private static void append(String stream, String payload) {
        database.append("Lease", stream, "LeaseRenamed", payload, "{\"user\": \"ada\"}");
    }

    private static List<Map<String, Object>> seals() {
        return database.jdbc()
                .queryForList(
                        "SELECT position, stream_id, sequence, encode(hash, 'hex') AS hash,"
                                + " encode(chain, 'hex') AS chain FROM seal ORDER BY position");
    }

    /** Returns what verify reports. */
    private static List<String> wrong() throws SQLException {
        List<String> wrong = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            new SealInspection()
                    .inspect(
                            connection,
                            (table, where, expected, found) ->
                                    wrong.add(
                                            "%s: %s: expected %s, found %s"
                                                    .formatted(table, where, expected, found)));
        }
        database.jdbc()
                .query(
                        SealInspection.STREAMS_MATCH_LAST_SEALS.violations(),
                        row -> {
                            wrong.add("sealed_stream: " + row.getString(1) + ": ");
                        });
        return wrong;
    }
}
