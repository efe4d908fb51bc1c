package org.leasehold.gateway.api;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * What gives a feed away. It cannot be guessed, so that a hash without salt or stretching hides it.
 *
 * @param text as it stands in an address; whatever a stranger may have put there
 */
record FeedSecret(String text) {

    /** Where feeds are. */
    static final String PATH = "/calendar/{secret}.ics";

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    static FeedSecret any() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new FeedSecret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    String path() {
        return PATH.replace("{secret}", text);
    }

    /** The SHA-256 of it, in hexadecimal digits. */
    String hash() {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    /** Does not tell it to a log. */
    @Override
    public String toString() {
        return "a secret";
    }
}
