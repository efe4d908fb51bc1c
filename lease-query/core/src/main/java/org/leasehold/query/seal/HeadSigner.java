package org.leasehold.query.seal;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.audit.SignedHeads.SignedHead;
import org.leasehold.seal.Hash;
import org.leasehold.seal.ProjectMerkleTree;
import org.leasehold.seal.ProjectMerkleTree.Standing;
import org.leasehold.seal.SigningKey;
import org.leasehold.seal.TreeHead;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import javax.sql.DataSource;

/**
 * The signer of the seals, at the end of a day and on request. Two heads are never made at once,
 * and no event is sealed meanwhile, because it holds the sealer's row.
 */
public final class HeadSigner {

    private static final Logger LOG = LoggerFactory.getLogger(HeadSigner.class);
    private static final int FETCH_SIZE = 2000;

    private static final String LOCK_POSITION =
            "SELECT position FROM projection WHERE name = 'seals' FOR UPDATE";

    // That day had something to sign, and all of it is sealed.
    private static final String SELECT_IS_DUE =
            """
            SELECT NOT EXISTS (SELECT FROM seal_head WHERE day >= ?)
                AND EXISTS (SELECT FROM (SELECT recorded_at FROM domain_event
                                         ORDER BY position LIMIT 1) first WHERE recorded_at < ?)
                AND coalesce(
                    (SELECT recorded_at FROM domain_event
                     WHERE position > (SELECT position FROM projection WHERE name = 'seals')
                     ORDER BY position LIMIT 1) >= ?, true)
            """;

    // The database waits while the tree of all streams is built.
    private static final String EXTEND_IDLE_TIMEOUT =
            "SET LOCAL idle_in_transaction_session_timeout = '5min'";

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final SigningKeys keys;
    private final Clock clock;

    HeadSigner(
            DataSource dataSource,
            PlatformTransactionManager transactions,
            SigningKeys keys,
            Clock clock) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.jdbc.setFetchSize(FETCH_SIZE);
        this.transaction = new TransactionTemplate(transactions);
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * Makes the head of the past day, if it does not exist. Days on which no engine ran have none:
     * the next one covers them.
     */
    public Optional<SignedHead> signDailyHead() {
        if (keys.present() == null) {
            return Optional.empty();
        }
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        LocalDate day = today.minusDays(1);
        OffsetDateTime midnight = today.atStartOfDay().atOffset(ZoneOffset.UTC);
        Optional<SignedHead> made =
                transaction.execute(
                        _ -> {
                            if (!isDue(day, midnight)) {
                                return Optional.empty();
                            }
                            long position = lockPosition();
                            // Another node may have been faster, before we had the lock.
                            return isDue(day, midnight)
                                    ? Optional.of(createHead(day, position))
                                    : Optional.empty();
                        });
        return Objects.requireNonNull(made);
    }

    private boolean isDue(LocalDate day, OffsetDateTime midnight) {
        return Boolean.TRUE.equals(
                jdbc.queryForObject(SELECT_IS_DUE, Boolean.class, day, midnight, midnight));
    }

    /**
     * Returns the head of all that is sealed now: a new one, unless the last one covers just that.
     *
     * @throws IllegalStateException if this node has no key to sign with
     */
    public SignedHead signCurrentHead() {
        return Objects.requireNonNull(
                transaction.execute(
                        _ -> {
                            long position = lockPosition();
                            TreeHead last = lastHead();
                            if (last != null
                                    && last.position() == position
                                    && last.key().equals(keys.signing().id())) {
                                return loadHead(last.number());
                            }
                            return createHead(null, position);
                        }));
    }

    private long lockPosition() {
        return Objects.requireNonNull(jdbc.queryForObject(LOCK_POSITION, Long.class));
    }

    private SignedHead createHead(@Nullable LocalDate day, long position) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        jdbc.execute(EXTEND_IDLE_TIMEOUT);
        introduceKey(now);
        TreeHead last = lastHead();
        ProjectMerkleTree standing = new ProjectMerkleTree();
        jdbc.query(
                "SELECT project_id, stream_id, sequence, hash FROM sealed_stream",
                row -> {
                    standing.put(standing(row));
                });
        TreeHead head =
                new TreeHead(
                        last == null ? 1 : last.number() + 1,
                        day,
                        now,
                        position,
                        countEvents(last),
                        standing.streams(),
                        standing.projects(),
                        lastChain(),
                        standing.root(),
                        last == null ? Hash.NONE : last.hash(),
                        keys.signing().id());
        jdbc.update(
                "INSERT INTO seal_head VALUES (?, ?, ?, ?, ?)",
                head.number(),
                day,
                position,
                head.text(),
                keys.signing().sign(head));
        return loadHead(head.number());
    }

    static Standing standing(ResultSet row) throws SQLException {
        return new Standing(
                row.getString("project_id"),
                row.getString("stream_id"),
                row.getLong("sequence"),
                Hash.of(row.getBytes("hash")));
    }

    /** Returns the number of events: the last head's plus later ones, without a full count. */
    private long countEvents(@Nullable TreeHead last) {
        return (last == null ? 0 : last.events())
                + Objects.requireNonNull(
                        jdbc.queryForObject(
                                "SELECT count(*) FROM seal WHERE position > ?",
                                Long.class,
                                last == null ? 0 : last.position()));
    }

    private Hash lastChain() {
        List<byte[]> last =
                jdbc.queryForList(
                        "SELECT chain FROM seal ORDER BY position DESC LIMIT 1", byte[].class);
        return last.isEmpty() ? Hash.NONE : Hash.of(last.getFirst());
    }

    private @Nullable TreeHead lastHead() {
        List<String> last =
                jdbc.queryForList(
                        "SELECT head FROM seal_head ORDER BY number DESC LIMIT 1", String.class);
        return last.isEmpty() ? null : TreeHead.of(last.getFirst());
    }

    private SignedHead loadHead(long number) {
        return Objects.requireNonNull(
                jdbc.queryForObject(
                        "SELECT head, signature FROM seal_head WHERE number = ?",
                        (row, _) ->
                                new SignedHead(
                                        number,
                                        row.getString(1),
                                        Base64.getEncoder().encodeToString(row.getBytes(2))),
                        number));
    }

    /** Stores a key that signs for the first time, signed by the one before it. */
    private void introduceKey(Instant now) {
        SigningKey present = keys.signing();
        List<String> known =
                jdbc.queryForList("SELECT key_id FROM seal_key ORDER BY number", String.class);
        if (known.contains(present.id())) {
            return;
        }
        SigningKey former = keys.before();
        SigningKey before =
                former != null && !known.isEmpty() && known.getLast().equals(former.id())
                        ? former
                        : null;
        if (before == null && !known.isEmpty()) {
            LOG.warn("The signing key is another, and the one before it has not signed it");
        }
        jdbc.update(
                "INSERT INTO seal_key VALUES (?, ?, ?, ?, ?, ?)",
                known.size() + 1,
                present.id(),
                present.publicKey(),
                now.atOffset(ZoneOffset.UTC),
                before == null ? null : before.id(),
                before == null ? null : before.signSuccessor(present));
    }
}
