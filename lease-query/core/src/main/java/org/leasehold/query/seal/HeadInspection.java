package org.leasehold.query.seal;

import org.leasehold.history.Inspection;
import org.leasehold.seal.Hash;
import org.leasehold.seal.Head;
import org.leasehold.seal.PublicKeys;

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
final class HeadInspection implements Inspection {

    private static final String TABLE = "seal_head";

    private static final String KEYS =
            "SELECT key_id, public_key, signed_by, signature FROM seal_key ORDER BY number";

    private static final String ALL =
            """
            SELECT h.number, h.day, h.position, h.head, h.signature, (SELECT s.chain FROM seal s
                WHERE s.position <= h.position ORDER BY s.position DESC LIMIT 1) AS chain
            FROM seal_head h ORDER BY h.number
            """;

    @Override
    public void inspect(Connection connection, Finding findings) throws SQLException {
        PublicKeys keys = keys(connection);
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(ALL)) {
            Hash previous = Hash.NONE;
            for (long number = 1; row.next(); number++) {
                String where = "head " + row.getLong("number");
                try {
                    Head head = Head.of(row.getString("head"));
                    inspect(
                            row,
                            head,
                            number,
                            previous,
                            (what, expected, found) -> {
                                if (!expected.equals(found)) {
                                    findings.tell(TABLE, where + " " + what, expected, found);
                                }
                            });
                    if (!keys.verify(head, row.getBytes("signature"))) {
                        findings.tell(
                                TABLE,
                                where,
                                "a signature by " + head.key() + ", a key that is believed",
                                "none");
                    }
                    previous = head.hash();
                } catch (IllegalArgumentException e) {
                    findings.tell(TABLE, where, "a head", String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** Returns the first key and those with a signature of one of these; others are ignored. */
    private static PublicKeys keys(Connection connection) throws SQLException {
        PublicKeys keys = new PublicKeys();
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(KEYS)) {
            for (boolean first = true; row.next(); first = false) {
                if (first) {
                    keys.believe(row.getBytes(2));
                } else {
                    keys.succeed(
                            new PublicKeys.Shown(
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
            ResultSet row, Head head, long number, Hash previous, Comparing comparing)
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
