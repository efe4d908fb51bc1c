package org.leasehold.query.seal;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.SignedHeads;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.sql.ResultSet;
import java.sql.SQLException;
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
    public Page<SignedHead> heads(long after, int limit) {
        List<SignedHead> found =
                jdbc.sql(
                                "SELECT number, head, signature FROM seal_head WHERE number > ?"
                                        + " ORDER BY number LIMIT ?")
                        .params(after, limit + 1)
                        .query(
                                (row, _) ->
                                        new SignedHead(
                                                row.getLong(1),
                                                row.getString(2),
                                                Base64.getEncoder()
                                                        .encodeToString(row.getBytes(3))))
                        .list();
        return Page.of(found, limit, last -> Long.toString(last.number()));
    }

    private record NumberedKey(long number, VerificationKey key) {}

    @Override
    public Page<VerificationKey> keys(@Nullable String marker, int limit) {
        List<NumberedKey> found =
                jdbc.sql(
                                "SELECT number, key_id, public_key, since, signed_by, signature"
                                        + " FROM seal_key WHERE number > ? ORDER BY number LIMIT ?")
                        .params(
                                marker == null ? 0 : Page.parseMarker(marker, Long::valueOf),
                                limit + 1)
                        .query((row, _) -> new NumberedKey(row.getLong("number"), key(row)))
                        .list();
        return Page.of(found, limit, last -> Long.toString(last.number())).map(NumberedKey::key);
    }

    private static VerificationKey key(ResultSet row) throws SQLException {
        return new VerificationKey(
                row.getString("key_id"),
                Base64.getEncoder().encodeToString(row.getBytes("public_key")),
                row.getObject("since", OffsetDateTime.class).toInstant(),
                row.getString("signed_by"),
                base64(row.getBytes("signature")));
    }

    private static @Nullable String base64(byte @Nullable [] bytes) {
        return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }
}
