package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tests that classes lock the output before they capture it. Test classes run in parallel in one
 * process. Two captures end each other, and a starting application silences the log briefly.
 */
class OutputCaptureLockTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final String CAPTURE = "@ExtendWith(OutputCaptureExtension" + ".class)";

    @Test
    void a_class_that_captures_the_output_locks_it() throws IOException {
        assertThat(capturing())
                .hasSizeGreaterThan(5)
                .allSatisfy(
                        file ->
                                assertThat(Files.readString(file))
                                        .containsAnyOf(
                                                "@Isolated(",
                                                "@ResourceLock(Resources.SYSTEM_OUT)"));
    }

    private static List<Path> capturing() throws IOException {
        try (Stream<Path> files =
                Files.find(
                        ROOT,
                        16,
                        (file, _) -> file.getFileName().toString().matches(".*(Test|IT)\\.java"))) {
            return files.filter(OutputCaptureLockTest::captures).toList();
        }
    }

    private static boolean captures(Path file) {
        try {
            return Files.readString(file).contains(CAPTURE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
