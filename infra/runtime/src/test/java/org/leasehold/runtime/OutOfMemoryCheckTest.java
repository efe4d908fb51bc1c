package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tests that all starts of an engine let its JVM end when it runs out of memory. */
class OutOfMemoryCheckTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final String OPTION = "-XX:+" + OutOfMemoryCheck.OPTION;

    /** A documented command that starts an engine; others have a subcommand after the jar. */
    private static final Pattern COMMAND =
            Pattern.compile("java .*-jar \\S*leasehold\\.jar(?! (verify|move-in|check-cloud)\\b)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "infra/runtime/leasehold.service",
                "infra/runtime/install",
                "infra/runtime/pom.xml",
                "infra/proof/harness/engine.py",
                "infra/proof/e2e/product.py",
                "infra/proof/e2e/server.py",
                "infra/tools/demo/run",
                "infra/proof/simulate",
                "infra/proof/bench/src/main/java/org/leasehold/bench/site/Engine.java"
            })
    void files_that_start_an_engine_contain_the_option(String file) throws IOException {
        assertThat(Files.readString(ROOT.resolve(file))).contains(OPTION);
    }

    @Test
    void documented_start_commands_contain_the_option() throws IOException {
        List<String> commands =
                Stream.concat(
                                documents(ROOT, 1).stream(),
                                documents(ROOT.resolve("infra"), 3).stream())
                        .flatMap(OutOfMemoryCheckTest::lines)
                        .filter(line -> line.strip().startsWith("java "))
                        .filter(line -> COMMAND.matcher(line).find())
                        .toList();
        assertThat(commands).isNotEmpty().allMatch(command -> command.contains(OPTION));
    }

    private static List<Path> documents(Path folder, int depth) throws IOException {
        try (Stream<Path> found =
                Files.find(folder, depth, (file, _) -> file.toString().endsWith(".md"))) {
            return found.toList();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
