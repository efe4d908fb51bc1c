package org.leasehold.gateway.api.problem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toCollection;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

@ApiTest
class ProblemRoutesTest {

    private static final Path SOURCES = Path.of("src/main/java/org/leasehold/gateway");

    /** A type's name in code: beside a status, as an invalid field's, or in full. */
    private static final Pattern NAME =
            Pattern.compile(
                    "\\bof\\(\\s*(?:\\d{3}|status),\\s*\"([a-z-]+)\""
                            + "|\\binvalid\\(\\s*\"([a-z-]+)\""
                            + "|\"/problems/([a-z-]+)\"");

    /** The statuses with which a request is rejected before its handler. */
    private static final List<HttpStatus> EARLY =
            List.of(
                    HttpStatus.BAD_REQUEST,
                    HttpStatus.UNAUTHORIZED,
                    HttpStatus.FORBIDDEN,
                    HttpStatus.NOT_FOUND,
                    HttpStatus.METHOD_NOT_ALLOWED,
                    HttpStatus.NOT_ACCEPTABLE,
                    HttpStatus.REQUEST_TIMEOUT,
                    HttpStatus.CONFLICT,
                    HttpStatus.PRECONDITION_FAILED,
                    HttpStatus.CONTENT_TOO_LARGE,
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    HttpStatus.TOO_MANY_REQUESTS,
                    HttpStatus.INTERNAL_SERVER_ERROR,
                    HttpStatus.SERVICE_UNAVAILABLE);

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    @Test
    void every_problem_type_has_a_page() throws IOException {
        Set<String> names = named();
        assertThat(names).hasSizeGreaterThan(40).contains("not-free", "cloud-failed", "in-use");
        EARLY.forEach(status -> names.add(slug(status)));
        for (String name : names) {
            Answer page = client.get("", "/problems/" + name);
            assertThat(page.status()).as(name).isEqualTo(200);
            assertThat(page.header("Content-Type")).startsWith("text/plain");
            assertThat(page.response().body()).as(name).contains("\n\n");
        }
    }

    private static Set<String> named() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(ProblemRoutesTest::read)
                    .flatMap(source -> NAME.matcher(source).results())
                    .flatMap(ProblemRoutesTest::groups)
                    .collect(toCollection(TreeSet::new));
        }
    }

    private static Stream<String> groups(MatchResult match) {
        return Stream.of(1, 2, 3).map(match::group).filter(group -> group != null);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String slug(HttpStatus status) {
        return status.getReasonPhrase().toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    @Test
    void the_problem_type_is_the_address_of_the_page() {
        Answer refused = client.get("member", "/api/leases/" + "0".repeat(8));
        String type = refused.json().path("type").asString("");
        assertThat(client.get("", type).response().body()).startsWith("Not found\n\n");
    }

    @Test
    void an_unknown_problem_type_answers_404() {
        Answer nothing = client.get("", "/problems/nonsense");
        assertThat(nothing.status()).isEqualTo(404);
        assertThat(nothing.isProblem()).isTrue();
    }
}
