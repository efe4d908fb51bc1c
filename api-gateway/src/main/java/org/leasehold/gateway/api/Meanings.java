package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;

/**
 * Descriptions of the fields of messages and the parameters of operations. They are in a file,
 * because most words mean the same everywhere.
 */
final class Meanings {

    private static final String FILE = "meanings.properties";

    private final Properties words = new Properties();

    Meanings() {
        try (InputStream file =
                        Objects.requireNonNull(Meanings.class.getResourceAsStream(FILE), FILE);
                var reader = new InputStreamReader(file, StandardCharsets.UTF_8)) {
            words.load(reader);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /**
     * Returns the description of a word.
     *
     * @param where the message or the operation; its own description of the word has precedence
     */
    @Nullable String of(String where, String word) {
        return words.getProperty(where + "." + word, words.getProperty(word));
    }
}
