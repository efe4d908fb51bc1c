package org.leasehold.query.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.SignedHeads.SignedHead;
import org.leasehold.readmodel.audit.SignedHeads.VerificationKey;
import org.leasehold.seal.SigningKey;
import org.leasehold.seal.TreeHead;
import org.leasehold.seal.TrustedKeys;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

class HeadSignerTest {

    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    private static EventDatabase database;

    private final Sealer sealer = new Sealer(database.jdbc());
    private final PostgresSignedHeads signedHeads = new PostgresSignedHeads(database.client());
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
    void a_day_is_signed_once_when_it_is_over() throws SQLException {
        happen("a");
        happen("b");
        database.follow(sealer);

        assertThat(heads(Duration.ZERO).signDailyHead()).isEmpty();
        SignedHead made = heads(Duration.ofDays(1)).signDailyHead().orElseThrow();
        assertThat(heads(Duration.ofDays(1)).signDailyHead()).isEmpty();

        TreeHead head = TreeHead.of(made.text());
        assertThat(head.day()).isEqualTo(LocalDate.of(2026, 11, 22));
        assertThat(head.position()).isEqualTo(2);
        assertThat(head.events()).isEqualTo(2);
        assertThat(head.streams()).isEqualTo(2);
        assertThat(head.projects()).isEqualTo(1);
        assertThat(signedHeads.heads(0, 10).items()).containsExactly(made);
        assertThat(believes(key, made)).isTrue();
        assertThat(wrong()).isEmpty();
    }

    @Test
    void a_day_is_not_signed_before_every_event_is_sealed() {
        happen("a");
        database.follow(sealer);
        happen("a");

        assertThat(heads(Duration.ofDays(1)).signDailyHead()).isEmpty();

        database.follow(sealer);
        assertThat(heads(Duration.ofDays(1)).signDailyHead()).isPresent();
    }

    @Test
    void a_head_stays_the_same_until_a_new_event_is_sealed() throws SQLException {
        happen("a");
        database.follow(sealer);
        HeadSigner heads = heads(Duration.ZERO);

        SignedHead first = heads.signCurrentHead();
        assertThat(heads.signCurrentHead()).isEqualTo(first);
        happen("a");
        database.follow(sealer);
        SignedHead second = heads.signCurrentHead();

        assertThat(TreeHead.of(second.text()).previous())
                .isEqualTo(TreeHead.of(first.text()).hash());
        assertThat(TreeHead.of(second.text()).events()).isEqualTo(2);
        assertThat(signedHeads.heads(1, 10).items()).containsExactly(second);
        assertThat(wrong()).isEmpty();
    }

    @Test
    void a_new_key_is_signed_by_the_previous_key() throws SQLException {
        happen("a");
        database.follow(sealer);
        heads(Duration.ZERO).signCurrentHead();
        SigningKey next = SigningKey.of(SigningKey.generate());

        SignedHead made = heads(Duration.ZERO, next, key).signCurrentHead();

        assertThat(signedHeads.keys(null, 10).items())
                .extracting(VerificationKey::signedBy)
                .containsExactly(null, key.id());
        assertThat(believes(key, made)).isTrue();
        assertThat(believes(SigningKey.of(SigningKey.generate()), made)).isFalse();
        assertThat(wrong()).isEmpty();
    }

    @Test
    void heads_and_keys_are_listed_page_by_page() {
        List<SignedHead> heads = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            happen("a");
            database.follow(sealer);
            SigningKey next = SigningKey.of(SigningKey.generate());
            heads.add(heads(Duration.ZERO, next, null).signCurrentHead());
            keys.add(next.id());
        }

        Page<SignedHead> firstHeads = signedHeads.heads(0, 2);
        Page<SignedHead> lastHeads = signedHeads.heads(2, 2);
        assertThat(firstHeads).isEqualTo(new Page<>(heads.subList(0, 2), "2"));
        assertThat(lastHeads).isEqualTo(new Page<>(heads.subList(2, 3), null));
        List<String> listed = new ArrayList<>();
        String marker = null;
        do {
            Page<VerificationKey> page = signedHeads.keys(marker, 1);
            assertThat(page.items()).hasSize(1);
            listed.add(page.items().getFirst().id());
            marker = page.next();
        } while (marker != null);
        assertThat(listed).isEqualTo(keys);
        assertThatThrownBy(() -> signedHeads.keys("x", 1)).isInstanceOf(UnknownMarker.class);
    }

    @Test
    void a_key_without_a_predecessor_signature_is_not_trusted() {
        happen("a");
        database.follow(sealer);
        heads(Duration.ZERO).signCurrentHead();
        SigningKey other = SigningKey.of(SigningKey.generate());

        SignedHead made = heads(Duration.ZERO, other, other).signCurrentHead();

        assertThat(signedHeads.keys(null, 10).items())
                .extracting(VerificationKey::signedBy)
                .containsOnlyNulls();
        assertThat(believes(key, made)).isFalse();
    }

    @Test
    void verification_reports_a_head_signed_by_an_untrusted_key() throws SQLException {
        happen("a");
        database.follow(sealer);
        heads(Duration.ZERO).signCurrentHead();
        SigningKey other = SigningKey.of(SigningKey.generate());
        heads(Duration.ZERO, other, null).signCurrentHead();

        assertThat(wrong())
                .containsExactly(
                        "head 2: a signature by " + other.id() + ", a key that is believed, none");
    }

    @Test
    void a_signer_without_a_key_signs_nothing() {
        happen("a");
        database.follow(sealer);
        HeadSigner keyless = heads(Duration.ofDays(1), null, null);

        assertThat(keyless.signDailyHead()).isEmpty();
        assertThatIllegalStateException().isThrownBy(keyless::signCurrentHead);
        assertThat(signedHeads.heads(0, 10).items()).isEmpty();
    }

    @Test
    void rewritten_seals_contradict_the_signed_head() throws SQLException {
        happen("a");
        database.follow(sealer);
        heads(Duration.ZERO).signCurrentHead();

        database.jdbc()
                .execute(
                        """
                        UPDATE domain_event SET payload = '{"projectId": "eve"}';
                        TRUNCATE seal, sealed_stream;
                        UPDATE projection SET position = 0 WHERE name = 'seals';
                        """);
        database.follow(sealer);

        assertThat(wrong()).singleElement().asString().startsWith("head 1 chain");
    }

    @Test
    void verification_reports_an_edited_or_removed_head() throws SQLException {
        happen("a");
        database.follow(sealer);
        heads(Duration.ZERO).signCurrentHead();
        happen("a");
        database.follow(sealer);
        heads(Duration.ZERO).signCurrentHead();

        database.jdbc()
                .execute(
                        "UPDATE seal_head SET head = replace(head, '\"events\":2', '\"events\":3')"
                                + " WHERE number = 2");
        assertThat(wrong()).singleElement().asString().startsWith("head 2: ");
        database.jdbc().execute("DELETE FROM seal_head WHERE number = 1");
        assertThat(wrong()).anyMatch(each -> each.startsWith("head 2 previous"));
    }

    private static void happen(String stream) {
        database.append("Lease", stream, "LeaseRenamed", "{\"projectId\": \"astronomy\"}", "{}");
        // A day ends by the database's clock, too.
        database.client()
                .sql("UPDATE domain_event SET recorded_at = :noon WHERE recorded_at <> :noon")
                .param("noon", NOON.atOffset(ZoneOffset.UTC))
                .update();
    }

    private HeadSigner heads(Duration later) {
        return heads(later, key, null);
    }

    private static HeadSigner heads(
            Duration later, @Nullable SigningKey present, @Nullable SigningKey before) {
        return new HeadSigner(
                database.dataSource(),
                database.transactionManager(),
                new SigningKeys(present, before),
                Clock.fixed(NOON.plus(later), ZoneOffset.UTC));
    }

    /** Returns whether a verifier that knows one key believes a head. */
    private boolean believes(SigningKey known, SignedHead head) {
        TrustedKeys keys = new TrustedKeys();
        keys.trust(known.publicKey());
        signedHeads
                .keys(null, 10)
                .items()
                .forEach(
                        shown ->
                                keys.trustSuccessor(
                                        new TrustedKeys.Shown(
                                                shown.id(),
                                                shown.publicKey(),
                                                shown.signedBy(),
                                                shown.signature())));
        return keys.verify(TreeHead.of(head.text()), Base64.getDecoder().decode(head.signature()));
    }

    /** Returns what verify reports. */
    private static List<String> wrong() throws SQLException {
        List<String> wrong = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            new HeadInspection()
                    .inspect(
                            connection,
                            (_, where, expected, found) ->
                                    wrong.add("%s: %s, %s".formatted(where, expected, found)));
        }
        return wrong;
    }
}
