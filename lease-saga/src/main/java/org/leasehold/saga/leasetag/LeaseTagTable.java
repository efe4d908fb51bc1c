package org.leasehold.saga.leasetag;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Lease tags that were processed, as rows. */
final class LeaseTagTable {

    /** After this time the node that processes a lease tag has died, or failed. */
    private static final Duration PROCESSING_TIMEOUT = Duration.ofMinutes(1);

    /** After this time an unseen lease tag is deleted. */
    private static final Duration RETENTION = Duration.ofDays(1);

    /** After this time an answer that is still not written is written again. */
    private static final Duration REWRITE_INTERVAL = Duration.ofHours(1);

    private final JdbcClient jdbc;

    LeaseTagTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the problems of those that are answered; empty for none. */
    Map<UUID, Optional<String>> findAnswers(Collection<UUID> petitions) {
        Map<UUID, Optional<String>> answers = new HashMap<>();
        jdbc.sql(
                        """
                        SELECT petition_id, problem FROM petition
                        WHERE petition_id = ANY (?) AND answered_at IS NOT NULL
                        """)
                .param(petitions.toArray(UUID[]::new))
                .query(
                        row -> {
                            answers.put(
                                    row.getObject(1, UUID.class),
                                    Optional.ofNullable(row.getString(2)));
                        });
        return answers;
    }

    /** Returns false if it is answered, or another node processes it at the moment. */
    boolean tryBegin(UUID petition, Instant now) {
        return jdbc.sql(
                                """
                                INSERT INTO petition (petition_id, begun_at, seen_at)
                                VALUES (?, ?, ?)
                                ON CONFLICT (petition_id)
                                DO UPDATE SET begun_at = excluded.begun_at
                                WHERE petition.answered_at IS NULL AND petition.begun_at <= ?
                                """)
                        .params(
                                petition,
                                now.atOffset(ZoneOffset.UTC),
                                now.atOffset(ZoneOffset.UTC),
                                now.minus(PROCESSING_TIMEOUT).atOffset(ZoneOffset.UTC))
                        .update()
                > 0;
    }

    void storeAnswer(UUID petition, @Nullable String problem, Instant now) {
        jdbc.sql("UPDATE petition SET answered_at = ?, problem = ? WHERE petition_id = ?")
                .param(now.atOffset(ZoneOffset.UTC))
                .param(problem)
                .param(petition)
                .update();
    }

    /** Returns false after a recent write: a failing write is not retried at each poll. */
    boolean tryMarkWritten(UUID petition, Instant now) {
        return jdbc.sql(
                                """
                                UPDATE petition SET told_at = ?
                                WHERE petition_id = ? AND (told_at IS NULL OR told_at <= ?)
                                """)
                        .params(
                                now.atOffset(ZoneOffset.UTC),
                                petition,
                                now.minus(REWRITE_INTERVAL).atOffset(ZoneOffset.UTC))
                        .update()
                > 0;
    }

    /** Deletes lease tags that were not seen for a while, except these. */
    void markSeenAndDeleteExpired(Collection<UUID> petitions, Instant now) {
        UUID[] ids = petitions.toArray(UUID[]::new);
        jdbc.sql("UPDATE petition SET seen_at = ? WHERE petition_id = ANY (?) AND seen_at < ?")
                .param(now.atOffset(ZoneOffset.UTC))
                .param(ids)
                .param(now.minus(RETENTION.dividedBy(2)).atOffset(ZoneOffset.UTC))
                .update();
        jdbc.sql("DELETE FROM petition WHERE seen_at < ?")
                .param(now.minus(RETENTION).atOffset(ZoneOffset.UTC))
                .update();
    }
}
