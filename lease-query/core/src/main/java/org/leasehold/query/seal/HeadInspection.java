package org.leasehold.query.seal;

import org.leasehold.history.ConsistencyCheck;
import org.leasehold.seal.Hash;
import org.leasehold.seal.TreeHead;
import org.leasehold.seal.TrustedKeys;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;

/**
 * The check that every head is signed, follows the one before it, and matches the seals. An owner
 * of the database can store another key and other heads, or delete the last ones. Only a comparison
 * with copies elsewhere shows that.
 */
final class HeadInspection implements ConsistencyCheck {

    private static final String TABLE = "seal_head";

    private static final String SELECT_KEYS =
            "SELECT key_id, public_key, signed_by, signature FROM seal_key ORDER BY number";

    private static final String SELECT_HEADS =
            """
            SELECT h.number, h.day, h.position, h.head, h.signature, (SELECT s.chain FROM seal s
                WHERE s.position <= h.position ORDER BY s.position DESC LIMIT 1) AS chain
            FROM seal_head h ORDER BY h.number
            """;

    @Override
    public void inspect(Connection connection, Finding findings) throws SQLException {
        TrustedKeys keys = keys(connection);
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(SELECT_HEADS)) {
            Hash previous = Hash.NONE;
            for (long number = 1; row.next(); number++) {
                String where = "head " + row.getLong("number");
                try {
                    TreeHead head = TreeHead.of(row.getString("head"));
                    inspect(
                            row,
                            head,
                            number,
                            previous,
                            (what, expected, found) -> {
                                if (!expected.equals(found)) {
                                    findings.report(TABLE, where + " " + what, expected, found);
                                }
                            });
                    if (!keys.verify(head, row.getBytes("signature"))) {
                        findings.report(
                                TABLE,
                                where,
                                "a signature by " + head.key() + ", a key that is believed",
                                "none");
                    }
                    previous = head.hash();
                } catch (IllegalArgumentException e) {
                    findings.report(TABLE, where, "a head", String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** Returns the first key and those with a signature of one of these; others are ignored. */
    private static TrustedKeys keys(Connection connection) throws SQLException {
        TrustedKeys keys = new TrustedKeys();
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(SELECT_KEYS)) {
            for (boolean first = true; row.next(); first = false) {
                if (first) {
                    keys.trust(row.getBytes(2));
                } else {
                    keys.trustSuccessor(
                            new TrustedKeys.Shown(
                                    row.getString(1),
                                    base64(row.getBytes(2)),
                                    row.getString(3),
                                    row.getBytes(4) == null ? null : base64(row.getBytes(4))));
                }
            }
        }
        return keys;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static void inspect(
            ResultSet row, TreeHead head, long number, Hash previous, Comparing comparing)
            throws SQLException {
        comparing.compare("number", Long.toString(number), Long.toString(head.number()));
        comparing.compare("previous", previous.hex(), head.previous().hex());
        comparing.compare(
                "position", Long.toString(head.position()), Long.toString(row.getLong("position")));
        comparing.compare("day", String.valueOf(head.day()), String.valueOf(row.getString("day")));
        byte[] chain = row.getBytes("chain");
        comparing.compare(
                "chain",
                head.chain().hex(),
                chain == null ? Hash.NONE.hex() : Hash.of(chain).hex());
    }

    @FunctionalInterface
    private interface Comparing {
        void compare(String what, String expected, String found);
    }
}
