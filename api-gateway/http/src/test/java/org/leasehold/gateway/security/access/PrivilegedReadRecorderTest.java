package org.leasehold.gateway.security.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.command.CommandContext;
import org.leasehold.command.PrivilegedReadLog;
import org.leasehold.command.PrivilegedReadLog.Read;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.request.error.RequestId;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.security.access.AccessPolicy.Rule;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.util.UriComponentsBuilder;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

class PrivilegedReadRecorderTest {

    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-11-21T10:00:30Z"), ZoneOffset.UTC);

    private final List<Read> reads = new CopyOnWriteArrayList<>();
    private final List<CommandContext> contexts = new CopyOnWriteArrayList<>();

    private void record(Role role, String path, String query) throws InterruptedException {
        record(
                (read, context) -> {
                    reads.add(read);
                    contexts.add(context);
                },
                role,
                path,
                query);
    }

    private static void record(PrivilegedReadLog log, Role role, String path, String query)
            throws InterruptedException {
        var recorder = new PrivilegedReadRecorder(new CommandContextFactory(CLOCK), log);
        var caller =
                new Caller(
                        new UserId("u1"),
                        "u1",
                        new ProjectId("p1"),
                        "audit",
                        Set.of(role),
                        "basic");
        var request = new MockHttpServletRequest("GET", path);
        request.setServletPath(path);
        UriComponentsBuilder.fromUriString("?" + query)
                .build()
                .getQueryParams()
                .forEach(
                        (name, values) ->
                                request.setParameter(name, values.toArray(String[]::new)));
        request.setRemoteAddr("192.0.2.1");
        request.addHeader("Leasehold-Reason", "ticket 4711");
        request.setAttribute(RequestId.class.getName(), new RequestId("req-1"));
        recorder.recordIfPrivileged(caller, rule(path), request);
        recorder.destroy();
    }

    /** Paths whose responses name neither a project nor a user. */
    private static final Set<String> WITHOUT_PROJECTS =
            Set.of(
                    "/",
                    "/actuator/**",
                    "/actuator/prometheus",
                    "/api/audit/heads",
                    "/api/audit/keys",
                    "/api/availability",
                    "/api/calendar/feeds",
                    "/api/capacity",
                    "/api/capacity/forecast",
                    "/api/events/numbers",
                    "/api/kinds",
                    "/api/kinds/{kind}",
                    "/api/me",
                    "/api/operations/read-models",
                    "/api/properties",
                    "/api/resources",
                    "/api/resources/{id}",
                    "/v1/floatingips",
                    "/v1/floatingips/{id}",
                    "/v1/os-hosts",
                    "/v1/os-hosts/properties",
                    "/v1/os-hosts/{id}",
                    "/v1/plugins",
                    "/versions");

    @TestFactory
    Stream<DynamicTest> every_read_is_recorded_unless_it_names_no_project() {
        return AccessPolicy.standard().rules().stream()
                .filter(rule -> rule.method().equals("GET") && !rule.everyone())
                .map(rule -> rule.path().getPatternString())
                .map(
                        path ->
                                dynamicTest(
                                        path,
                                        () -> {
                                            reads.clear();
                                            record(Role.ADMIN, path, "");
                                            assertThat(reads.isEmpty())
                                                    .isEqualTo(WITHOUT_PROJECTS.contains(path));
                                        }));
    }

    private static Rule rule(String path) {
        return AccessPolicy.standard().rules().stream()
                .filter(rule -> rule.method().equals("GET"))
                .filter(rule -> rule.path().getPatternString().equals(path))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_privileged_read_is_recorded_with_user_filter_reason_and_address()
            throws InterruptedException {
        record(Role.BILLER, "/api/charges", "project=p7&from=2026-10-01T00:00:00Z");

        assertThat(reads)
                .containsExactly(
                        new Read(
                                "leasehold:charges:get",
                                "/api/charges",
                                "from=2026-10-01T00:00:00Z&project=p7"));
        CommandContext context = contexts.getFirst();
        assertThat(context.user()).isEqualTo("u1");
        assertThat(context.roles()).containsExactly("biller");
        assertThat(context.reason()).isEqualTo("ticket 4711");
        assertThat(context.origin()).isEqualTo(RequestOrigin.of("192.0.2.1", null));
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"MEMBER", "READER"})
    void a_read_of_the_own_project_is_not_recorded(Role role) throws InterruptedException {
        record(role, "/api/leases", "");
        assertThat(reads).isEmpty();
    }

    @Test
    void an_action_that_shows_no_project_is_not_recorded() throws InterruptedException {
        record(Role.ADMIN, "/api/kinds", "");
        record(Role.AUDITOR, "/api/audit/keys", "");
        assertThat(reads).isEmpty();
    }

    @Test
    void the_pages_of_one_search_have_one_filter() throws InterruptedException {
        record(Role.AUDITOR, "/api/audit/events", "user=u7&limit=10");
        record(Role.AUDITOR, "/api/audit/events", "limit=10&user=u7&marker=900");
        record(Role.AUDITOR, "/api/events", "after=17&wait=PT10S");

        assertThat(reads).extracting(Read::filter).containsExactly("user=u7", "user=u7", "");
    }

    @Test
    void a_long_value_hides_no_other_parameter() throws InterruptedException {
        record(Role.AUDITOR, "/api/audit/events", "address=" + "0".repeat(5_000) + "&user=u7");
        assertThat(reads.getFirst().filter()).endsWith("&user=u7").hasSizeLessThan(300);
    }

    @Test
    void a_failing_table_does_not_fail_the_request() throws InterruptedException {
        record(
                (read, context) -> {
                    throw new IllegalStateException("the table is away");
                },
                Role.AUDITOR,
                "/api/audit/events",
                "");
        assertThat(reads).isEmpty();
    }
}
