package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The lines of a stream in UTF-8. A line that is too long is an error, so that it does not use up
 * the memory.
 */
final class BoundedLineReader {

    /** The longest line, far above the largest event that the engine accepts. */
    private static final int MAX_LINE_LENGTH = 64 << 20;

    private final BufferedReader text;

    BoundedLineReader(InputStream stream) {
        // Invalid UTF-8 is an error: a replacement character would look like an edit.
        text =
                new BufferedReader(
                        new InputStreamReader(stream, StandardCharsets.UTF_8.newDecoder()));
    }

    /**
     * Returns the next line without its end; null if there is none.
     *
     * @throws IOException if it cannot be read, is too long, or is not UTF-8
     */
    @Nullable String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        int c = text.read();
        if (c < 0) {
            return null;
        }
        while (c >= 0 && c != '\n') {
            if (line.length() == MAX_LINE_LENGTH) {
                throw new IOException("a line of more than " + MAX_LINE_LENGTH + " characters");
            }
            line.append((char) c);
            c = text.read();
        }
        return line.toString();
    }
}
