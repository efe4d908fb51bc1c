package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Objects;

class LauncherTest {

    /** The class file version of Java 17, the oldest that runs Spring Boot's loader. */
    private static final int JAVA_17_CLASS_FILE = 61;

    /** The bytes before the major version: the magic number and the minor version. */
    private static final int BYTES_BEFORE_VERSION = 6;

    @ParameterizedTest
    @ValueSource(strings = {"17.0.15", "21.0.2", "24"})
    void an_older_java_is_refused_in_one_sentence(String version) {
        assertThat(Launcher.findProblem(Runtime.Version.parse(version)))
                .hasValueSatisfying(
                        problem ->
                                assertThat(problem)
                                        .startsWith("Leasehold needs Java 25 or newer")
                                        .hasLineCount(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"25", "25.0.1", "26-ea"})
    void the_required_java_and_newer_ones_are_accepted(String version) {
        assertThat(Launcher.findProblem(Runtime.Version.parse(version))).isEmpty();
    }

    @Test
    void java_17_can_load_the_main_class_of_the_jar() throws IOException {
        assertThat(classFileVersion("Launcher.class")).isEqualTo(JAVA_17_CLASS_FILE);
        assertThat(classFileVersion("ClassPathCopy.class")).isEqualTo(JAVA_17_CLASS_FILE);
    }

    @Test
    void the_required_java_is_that_of_the_engine() throws IOException {
        assertThat(classFileVersion("Leasehold.class"))
                .isEqualTo(JAVA_17_CLASS_FILE + Launcher.REQUIRED_JAVA - 17);
    }

    private static int classFileVersion(String name) throws IOException {
        try (DataInputStream file =
                new DataInputStream(
                        Objects.requireNonNull(Launcher.class.getResourceAsStream(name)))) {
            file.skipNBytes(BYTES_BEFORE_VERSION);
            return file.readUnsignedShort();
        }
    }
}
