package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The lines of a stream in UTF-8. One that is too long is an error, and not a reason to take all
 * memory.
 */
final class Lines {

    /** Far above the largest event that the engine takes. */
    private static final int LONGEST = 64 << 20;

    private final BufferedReader text;

    Lines(InputStream stream) {
        // What is no UTF-8 is an error: replaced, it would look like an edit.
        text =
                new BufferedReader(
                        new InputStreamReader(stream, StandardCharsets.UTF_8.newDecoder()));
    }

    /**
     * The next one, without its end; null if there is none.
     *
     * @throws IOException if it cannot be read, is too long, or no UTF-8
     */
    @Nullable String next() throws IOException {
        StringBuilder line = new StringBuilder();
        int c = text.read();
        if (c < 0) {
            return null;
        }
        while (c >= 0 && c != '\n') {
            if (line.length() == LONGEST) {
                throw new IOException("a line of more than " + LONGEST + " characters");
            }
            line.append((char) c);
            c = text.read();
        }
        return line.toString();
    }
}
