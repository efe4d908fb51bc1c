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
final class FieldDescriptions {

    private static final String FILE_NAME = "meanings.properties";

    private final Properties descriptions = new Properties();

    FieldDescriptions() {
        try (InputStream file =
                        Objects.requireNonNull(
                                FieldDescriptions.class.getResourceAsStream(FILE_NAME), FILE_NAME);
                var reader = new InputStreamReader(file, StandardCharsets.UTF_8)) {
            descriptions.load(reader);
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
        return descriptions.getProperty(where + "." + word, descriptions.getProperty(word));
    }
}
