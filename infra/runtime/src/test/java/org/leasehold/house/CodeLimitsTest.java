package org.leasehold.house;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The limits of sizes and names in the code. A file lists the present exceptions, and may only
 * shrink: {@code -Dhouse=write} updates it.
 */
class CodeLimitsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path FOLDER =
            Path.of("src", "test", "resources", "org", "leasehold", "house");
    private static final Path LIST = FOLDER.resolve("exceptions.txt");
    private static final Path NUMBERS = FOLDER.resolve("words.txt");

    private static final int LINES_OF_A_FILE = 350;
    private static final int LINES_OF_A_METHOD = 60;
    private static final int PARAMETERS = 7;
    private static final int TYPES_OF_A_PACKAGE = 25;
    private static final int SAME_NAME = 1;

    /** Words that are vague or archaic. */
    private static final Set<String> WORDS =
            Set.of(
                    "told",
                    "tell",
                    "tells",
                    "telling",
                    "whoever",
                    "somebody",
                    "nobody",
                    "anew",
                    "its",
                    "mine",
                    "some",
                    "note",
                    "notes",
                    "place",
                    "few",
                    "soon",
                    "most");

    private static SourceMetrics survey;

    /** Runs once: parsing all sources takes seconds. */
    @BeforeAll
    static void read() throws IOException {
        survey = SourceMetrics.of(ROOT);
    }

    @Test
    void only_listed_code_exceeds_the_limits() throws IOException {
        Set<String> exceptions = exceptions(survey);
        if (isWritten()) {
            Files.write(LIST, exceptions);
        }

        assertThat(exceptions)
                .as("shorten or rename what is new; if the list has shrunk, run with -Dhouse=write")
                .isEqualTo(new TreeSet<>(Files.readAllLines(LIST)));
    }

    @Test
    void the_number_of_names_with_vague_words_does_not_grow() throws IOException {
        Map<String, Long> words = words(survey);
        if (isWritten()) {
            Files.write(NUMBERS, words.entrySet().stream().map(Object::toString).toList());
        }
        Map<String, Long> limits =
                Files.readAllLines(NUMBERS).stream()
                        .map(line -> line.split("=", -1))
                        .collect(toMap(line -> line[0], line -> Long.valueOf(line[1])));

        words.forEach(
                (word, number) ->
                        assertThat(number)
                                .as("names with the word %s", word)
                                .isLessThanOrEqualTo(limits.getOrDefault(word, 0L)));
    }

    private static boolean isWritten() {
        return "write".equals(System.getProperty("house"));
    }

    @Test
    void a_compact_constructor_has_no_parameters() {
        assertThat(survey.methods())
                .filteredOn(method -> method.file().endsWith("/lease/LeaseView.java"))
                .filteredOn(method -> method.name().equals("<init>"))
                .extracting(SourceMetrics.Method::parameters)
                .containsExactly(0);
    }

    @Test
    void the_source_metrics_cover_all_modules() {
        assertThat(survey.files()).hasSizeGreaterThan(1_000);
        assertThat(survey.types())
                .extracting(SourceMetrics.Declared::name)
                .contains("Leasehold", "LeaseDecider", "EventRoutes", "OpenStackHosts");
        assertThat(survey.methods())
                .extracting(SourceMetrics.Method::name)
                .contains("main", "<init>");
    }

    private static Set<String> exceptions(SourceMetrics survey) {
        Set<String> found = new TreeSet<>();
        survey.files().stream()
                .filter(file -> file.lines() > LINES_OF_A_FILE)
                .forEach(
                        file ->
                                found.add(
                                        "file over %s lines: %s"
                                                .formatted(LINES_OF_A_FILE, file.file())));
        for (SourceMetrics.Method method : survey.methods()) {
            if (method.lines() > LINES_OF_A_METHOD) {
                found.add(
                        "method over %s lines: %s %s"
                                .formatted(LINES_OF_A_METHOD, method.file(), method.name()));
            }
            if (method.parameters() > PARAMETERS) {
                found.add(
                        "method with more than %s parameters: %s %s"
                                .formatted(PARAMETERS, method.file(), method.name()));
            }
        }
        survey.types().stream()
                .filter(type -> !type.name().equals("package-info"))
                .collect(groupingBy(CodeLimitsTest::folder, TreeMap::new, counting()))
                .forEach(
                        (folder, number) -> {
                            if (number > TYPES_OF_A_PACKAGE) {
                                found.add(
                                        "package of more than %s types: %s"
                                                .formatted(TYPES_OF_A_PACKAGE, folder));
                            }
                        });
        survey.types().stream()
                .filter(type -> !type.name().equals("package-info"))
                .collect(groupingBy(SourceMetrics.Declared::name, TreeMap::new, counting()))
                .forEach(
                        (name, number) -> {
                            if (number > SAME_NAME) {
                                found.add("name of %s classes: %s".formatted(number, name));
                            }
                        });
        return found;
    }

    private static String folder(SourceMetrics.Declared type) {
        return type.file().substring(0, type.file().lastIndexOf('/'));
    }

    private static Map<String, Long> words(SourceMetrics survey) {
        return survey.names().stream()
                .flatMap(name -> wordsOf(name.name()).stream())
                .filter(WORDS::contains)
                .collect(groupingBy(word -> word, TreeMap::new, counting()));
    }

    /** Returns the different words of a name in camel or snake case. */
    private static Set<String> wordsOf(String name) {
        return new TreeSet<>(
                List.of(
                        name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                                .toLowerCase(Locale.ROOT)
                                .split("_", -1)));
    }
}
