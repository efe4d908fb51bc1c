package org.leasehold.seal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256.
 *
 * @param hex 64 digits, lower case
 */
public record Hash(String hex) {

    private static final int BYTES = 32;

    /** The hash before the first one. */
    public static final Hash NONE = of(new byte[BYTES]);

    public Hash {
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("not a SHA-256: " + hex);
        }
    }

    public static Hash of(byte[] bytes) {
        return new Hash(HexFormat.of().formatHex(bytes));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    /** Returns the hash of a text's UTF-8. */
    static Hash of(String text) {
        return of(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the hash of an event and of the hash of the event before it in its stream. */
    public static Hash ofEvent(Hash before, String line) {
        MessageDigest digest = digest();
        digest.update(before.bytes());
        return of(digest.digest(line.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the hash of all events up to one: of the chain before it and of its own hash. */
    public static Hash chained(Hash before, Hash event) {
        MessageDigest digest = digest();
        digest.update(before.bytes());
        return of(digest.digest(event.bytes()));
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return hex;
    }
}
