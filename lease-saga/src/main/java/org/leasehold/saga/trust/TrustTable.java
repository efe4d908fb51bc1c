package org.leasehold.saga.trust;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.LeaseTrusts;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.TrustId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Trusts as rows. */
final class TrustTable implements LeaseTrusts, KnownTrusts {

    private static final int PAGE_SIZE = 1_000;

    /** After this time the node without a trust has died: another one may be expected. */
    private static final Duration CREATION_TIMEOUT = Duration.ofMinutes(1);

    private final JdbcClient jdbc;

    TrustTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public boolean announce(LeaseId lease, Instant at) {
        return jdbc.sql(
                                """
                                INSERT INTO lease_trust AS known (lease_id, expected_at)
                                VALUES (?, ?)
                                ON CONFLICT (lease_id)
                                DO UPDATE SET expected_at = EXCLUDED.expected_at
                                WHERE known.trust_id IS NULL AND known.expected_at < ?
                                """)
                        .params(
                                lease.value(),
                                at.atOffset(ZoneOffset.UTC),
                                at.minus(CREATION_TIMEOUT).atOffset(ZoneOffset.UTC))
                        .update()
                > 0;
    }

    @Override
    public boolean store(LeaseId lease, TrustId trust) {
        return jdbc.sql(
                                """
                                UPDATE lease_trust SET trust_id = ?
                                WHERE lease_id = ? AND trust_id IS NULL
                                """)
                        .params(trust.value(), lease.value())
                        .update()
                > 0;
    }

    @Override
    public void cancel(LeaseId lease) {
        jdbc.sql("DELETE FROM lease_trust WHERE lease_id = ?").param(lease.value()).update();
    }

    @Override
    public Optional<KnownTrust> find(LeaseId lease) {
        return jdbc.sql(
                        "SELECT lease_id, trust_id, expected_at FROM lease_trust WHERE lease_id ="
                                + " ?")
                .param(lease.value())
                .query((row, _) -> known(row))
                .optional();
    }

    /** Returns trusts in the order of their leases' ids, after one of them. */
    List<KnownTrust> listAfter(@Nullable LeaseId lease, int limit) {
        return jdbc.sql(
                        """
                        SELECT lease_id, trust_id, expected_at FROM lease_trust
                        WHERE ?::uuid IS NULL OR lease_id > ?::uuid
                        ORDER BY lease_id LIMIT ?
                        """)
                .param(lease == null ? null : lease.value())
                .param(lease == null ? null : lease.value())
                .param(limit)
                .query((row, _) -> known(row))
                .list();
    }

    /** Returns all, page by page: there is one for each lease that acts as its user. */
    List<KnownTrust> listAll() {
        List<KnownTrust> all = new ArrayList<>();
        List<KnownTrust> page = listAfter(null, PAGE_SIZE);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = listAfter(page.getLast().lease(), PAGE_SIZE);
        }
        return all;
    }

    private static KnownTrust known(ResultSet row) throws SQLException {
        String trust = row.getString("trust_id");
        return new KnownTrust(
                new LeaseId(row.getObject("lease_id", UUID.class)),
                trust == null ? null : new TrustId(trust),
                row.getObject("expected_at", OffsetDateTime.class).toInstant());
    }
}
