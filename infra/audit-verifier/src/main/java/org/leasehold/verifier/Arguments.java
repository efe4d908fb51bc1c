package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;
import org.leasehold.seal.Hash;
import org.leasehold.seal.TrustedKeys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of the command line.
 *
 * @param keys trusted public keys from a source other than the export
 * @param kept hashes of heads by number, stored elsewhere
 * @param until the day, in UTC, up to which everything must be signed; null for no check
 * @param allowWithheld true if some events may be present by their seals alone
 * @param export a file, or {@code -}
 */
record Arguments(
        TrustedKeys keys,
        Map<Long, Hash> kept,
        @Nullable LocalDate until,
        boolean allowWithheld,
        String export) {

    static final String USAGE =
            """
            java -jar audit-verifier.jar --key=FILE.pem [--kept-head=NUMBER:HASH] [--until=DAY]
                [--allow-withheld] EXPORT

              --key             a public key, as openssl pkey -pubout writes it; may be repeated
              --kept-head       a head that was kept elsewhere; may be repeated
              --until           such as 2030-01-31: by UTC, all of that day should be signed
              --allow-withheld  events may be withheld: not all in it was told to whoever got it
              EXPORT            a file, or - for what comes in

            Ends with 0 if everything is as it was signed, 1 if not, or if an event is withheld and
            none may be, 2 if it could not be checked, 3 if everything is as it was signed, but that
            was before the day was over.
            """;

    private static final String KEY = "--key=";
    private static final String KEPT_HEAD = "--kept-head=";
    private static final String UNTIL = "--until=";
    private static final String ALLOW_WITHHELD = "--allow-withheld";
    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";

    /**
     * Parses the arguments.
     *
     * @throws IllegalArgumentException if they are invalid
     */
    static Arguments of(List<String> words) {
        TrustedKeys keys = new TrustedKeys();
        boolean hasKey = false;
        Map<Long, Hash> kept = new HashMap<>();
        LocalDate until = null;
        boolean allowWithheld = false;
        String export = null;
        for (String word : words) {
            if (word.startsWith(KEY)) {
                addTrustedKey(keys, word.substring(KEY.length()));
                hasKey = true;
            } else if (word.startsWith(KEPT_HEAD)) {
                addKeptHead(kept, word.substring(KEPT_HEAD.length()));
            } else if (word.startsWith(UNTIL)) {
                until = day(word.substring(UNTIL.length()));
            } else if (word.equals(ALLOW_WITHHELD)) {
                allowWithheld = true;
            } else if (export == null && (word.equals("-") || !word.startsWith("-"))) {
                export = word;
            } else {
                throw new IllegalArgumentException("unknown: " + word);
            }
        }
        if (!hasKey) {
            throw new IllegalArgumentException("--key is missing");
        }
        if (export == null) {
            throw new IllegalArgumentException("EXPORT is missing");
        }
        return new Arguments(keys, kept, until, allowWithheld, export);
    }

    private static LocalDate day(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("--until: no day such as 2030-01-31: " + text, e);
        }
    }

    private static void addTrustedKey(TrustedKeys keys, String file) {
        try {
            String pem = Files.readString(Path.of(file));
            String base64 = pem.replace(BEGIN, "").replace(END, "").replaceAll("\\s", "");
            keys.trust(Base64.getDecoder().decode(base64));
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("--key: cannot read " + file, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--key: no public key of Ed25519's in PEM: " + file, e);
        }
    }

    private static void addKeptHead(Map<Long, Hash> kept, String head) {
        int colon = head.indexOf(':');
        try {
            long number = Long.parseLong(head.substring(0, Math.max(colon, 0)));
            if (number < 1) {
                throw new IllegalArgumentException("no head has the number " + number);
            }
            Hash hash = new Hash(head.substring(colon + 1));
            Hash other = kept.put(number, hash);
            if (other != null && !other.equals(hash)) {
                throw new IllegalArgumentException("two heads have the number " + number);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--kept-head: not NUMBER:HASH: " + head, e);
        }
    }
}
