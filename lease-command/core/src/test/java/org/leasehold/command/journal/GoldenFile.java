package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A file in the test resources with stored values as JSON. */
public final class GoldenFile {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private GoldenFile() {}

    /**
     * Asserts that a file contains exactly these values.
     *
     * @param name the file's path in the test resources, such as {@code /stored/outcomes.json}
     * @param stored maps, lists, texts and JSON nodes
     */
    public static void holds(String name, Object stored) {
        String written = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(stored);
        assertThat(written)
                .as("what %s holds: it is stored, so that no change may rename it", name)
                .isEqualTo(read(name));
    }

    private static String read(String name) {
        try (InputStream file = GoldenFile.class.getResourceAsStream(name)) {
            return file == null
                    ? ""
                    : new String(file.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
