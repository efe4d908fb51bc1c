package org.leasehold.query.seal;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.audit.SignedHeads;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;

/** The table of the heads that {@link HeadSigner} has signed, and of the keys. */
final class PostgresSignedHeads implements SignedHeads {

    private final JdbcClient jdbc;

    PostgresSignedHeads(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public List<SignedHead> heads(long after, int limit) {
        return jdbc.sql(
                        "SELECT number, head, signature FROM seal_head WHERE number > ?"
                                + " ORDER BY number LIMIT ?")
                .params(after, limit)
                .query(
                        (row, _) ->
                                new SignedHead(
                                        row.getLong(1),
                                        row.getString(2),
                                        Base64.getEncoder().encodeToString(row.getBytes(3))))
                .list();
    }

    @Override
    public List<VerificationKey> keys() {
        return jdbc.sql(
                        "SELECT key_id, public_key, since, signed_by, signature FROM seal_key"
                                + " ORDER BY number")
                .query(
                        (row, _) ->
                                new VerificationKey(
                                        row.getString(1),
                                        Base64.getEncoder().encodeToString(row.getBytes(2)),
                                        row.getObject(3, OffsetDateTime.class).toInstant(),
                                        row.getString(4),
                                        base64(row.getBytes(5))))
                .list();
    }

    private static @Nullable String base64(byte @Nullable [] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }
}
