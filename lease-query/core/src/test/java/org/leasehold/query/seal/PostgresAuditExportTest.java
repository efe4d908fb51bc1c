package org.leasehold.query.seal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.audit.AuditExport.Discretion;
import org.leasehold.readmodel.audit.AuditExport.Seen;
import org.leasehold.seal.ExportLine;
import org.leasehold.seal.ExportLine.Beginning;
import org.leasehold.seal.ExportLine.Event;
import org.leasehold.seal.ExportLine.EventLocation;
import org.leasehold.seal.ExportLine.SignedHead;
import org.leasehold.seal.ExportLine.Stream;
import org.leasehold.seal.ExportLine.Withheld;
import org.leasehold.seal.Hash;
import org.leasehold.seal.SigningKey;
import org.leasehold.seal.TreeHead;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

class PostgresAuditExportTest {

    private static final Discretion ALL = (_, _, _) -> Seen.WHOLE;

    private static EventDatabase database;

    private final Sealer sealer = new Sealer(database.jdbc());
    private final PostgresAuditExport export =
            new PostgresAuditExport(database.client(), new PostgresSignedHeads(database.client()));
    private final SigningKey key = SigningKey.of(SigningKey.generate());

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
                        TRUNCATE seal, sealed_stream, seal_head, seal_key;
                        UPDATE projection SET position = 0;
                        """);
    }

    @Test
    void an_export_contains_events_and_heads_in_order_of_position() throws IOException {
        happen(PostgresAuditExport.BATCH_SIZE + 5);
        sign();
        happen(PostgresAuditExport.BATCH_SIZE);
        sign();
        happen(1);
        database.follow(sealer);

        List<ExportLine> lines = lines(2, ALL);

        assertThat(lines.get(0)).isEqualTo(new Beginning(1, "here", 2));
        assertThat(lines.get(1)).isInstanceOf(ExportLine.Key.class);
        assertThat(positions(lines)).hasSize(207).doesNotHaveDuplicates().isSorted();
        assertThat(positions(lines).get(105)).isEqualTo(105.5);
        assertThat(positions(lines).getLast()).isEqualTo(205.5);
        assertThat(export.lastHead()).isEqualTo(2);
        assertThat(positions(lines(1, ALL)).getLast()).isEqualTo(105.5);
    }

    /** Returns the positions of events, and for heads those between two events. */
    private static List<Double> positions(List<ExportLine> lines) {
        List<Double> positions = new ArrayList<>();
        for (ExportLine line : lines) {
            switch (line) {
                case Event event -> positions.add((double) event.location().position());
                case SignedHead head -> positions.add(TreeHead.of(head.head()).position() + 0.5);
                case Beginning _, ExportLine.Key _, Withheld _ -> {}
            }
        }
        return positions;
    }

    @Test
    void an_exported_event_has_the_sealed_hash() throws IOException {
        happen(2);
        sign();

        List<ExportLine> lines = lines(1, ALL);

        Event first = (Event) lines.get(2);
        Event second = (Event) lines.get(3);
        assertThat(first.hash()).isEqualTo(Hash.ofEvent(Hash.NONE, first.line()));
        assertThat(second.hash()).isEqualTo(Hash.ofEvent(first.hash(), second.line()));
        assertThat(first.location())
                .isEqualTo(new EventLocation(1, new Stream("a", 0, "astronomy")));
        assertThat(first.line()).contains("\"user\":\"ada\"").doesNotContain("198.51.100.7");
    }

    @Test
    void a_withheld_event_is_exported_with_the_hash_of_the_seal() throws IOException {
        happen(3);
        sign();

        List<ExportLine> whole = lines(1, ALL);
        List<ExportLine> withoutMore =
                lines(
                        1,
                        (type, stream, payload) -> {
                            assertThat(type).isEqualTo("Lease");
                            assertThat(stream).isEqualTo("a");
                            return payload.contains("\"2\"") ? Seen.STREAM : Seen.NOTHING;
                        });

        assertThat(withoutMore.get(2))
                .isEqualTo(new Withheld(new EventLocation(1, null), hash(whole.get(2))));
        assertThat(withoutMore.get(3))
                .isEqualTo(
                        new Withheld(
                                new EventLocation(2, new Stream("a", 1, "astronomy")),
                                hash(whole.get(3))));
    }

    private static Hash hash(ExportLine line) {
        return ((Event) line).hash();
    }

    @Test
    void an_export_reveals_a_deleted_event_and_a_deleted_seal() throws IOException {
        happen(3);
        sign();
        database.jdbc()
                .execute(
                        "DELETE FROM domain_event WHERE position = 1;"
                                + " DELETE FROM seal WHERE position = 2");

        List<ExportLine> lines = lines(1, ALL);

        assertThat(positions(lines)).containsExactly(2.0, 3.0, 3.5);
        assertThat(hash(lines.get(2))).isEqualTo(Hash.NONE);
    }

    @Test
    void an_export_without_a_signed_head_contains_no_events() throws IOException {
        happen(1);
        database.follow(sealer);

        assertThat(export.lastHead()).isZero();
        assertThat(lines(0, ALL)).containsExactly(new Beginning(1, "here", 0));
    }

    private void happen(int times) {
        for (int i = 0; i < times; i++) {
            database.append(
                    "Lease",
                    "a",
                    "LeaseRenamed",
                    "{\"projectId\": \"astronomy\", \"name\": \"%s\"}"
                            .formatted(database.head() + 1),
                    "{\"user\": \"ada\", \"origin\": \"198.51.100.7\"}");
        }
    }

    private void sign() {
        database.follow(sealer);
        new HeadSigner(
                        database.dataSource(),
                        database.transactionManager(),
                        new SigningKeys(key, null),
                        Clock.systemUTC())
                .signCurrentHead();
    }

    private List<ExportLine> lines(long head, Discretion discretion) throws IOException {
        List<ExportLine> lines = new ArrayList<>();
        export.write(head, "here", discretion, line -> lines.add(ExportLine.of(line)));
        return lines;
    }
}
