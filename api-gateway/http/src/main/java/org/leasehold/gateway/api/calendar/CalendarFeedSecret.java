package org.leasehold.gateway.api.calendar;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The secret of a feed. It cannot be guessed, so a hash without salt or stretching hides it.
 *
 * @param text as it is in an address; a stranger may have sent any text
 */
record CalendarFeedSecret(String text) {

    /** The path of feeds. */
    static final String PATH = "/calendar/{secret}.ics";

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    static CalendarFeedSecret generate() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new CalendarFeedSecret(
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    String path() {
        return PATH.replace("{secret}", text);
    }

    /** Returns its SHA-256, in hexadecimal digits. */
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

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "a secret";
    }
}
