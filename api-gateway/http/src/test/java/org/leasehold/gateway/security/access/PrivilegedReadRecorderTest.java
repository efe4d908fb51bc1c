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
        request.setQueryString(query);
        request.setRemoteAddr("192.0.2.1");
        request.addHeader("Leasehold-Reason", "ticket 4711");
        request.setAttribute(RequestId.class.getName(), new RequestId("req-1"));
        recorder.recordIfPrivileged(caller, rule(path), request);
        recorder.destroy();
    }

    /** Actions whose responses name neither a project nor a user. */
    private static final Set<String> WITHOUT_PROJECTS =
            Set.of(
                    "blazar:floatingips:get",
                    "blazar:oshosts:get",
                    "blazar:oshosts:get_resource_properties",
                    "blazar:plugins:get",
                    "blazar:versions:get",
                    "leasehold:audit:get_heads",
                    "leasehold:audit:get_keys",
                    "leasehold:availability:get",
                    "leasehold:calendar_feeds:get",
                    "leasehold:capacity:get",
                    "leasehold:capacity:get_forecast",
                    "leasehold:events:get_numbers",
                    "leasehold:kinds:get",
                    "leasehold:me:get",
                    "leasehold:metrics:get",
                    "leasehold:operations:use",
                    "leasehold:properties:get",
                    "leasehold:resources:get");

    @TestFactory
    Stream<DynamicTest> every_read_is_recorded_unless_it_names_no_project() {
        return AccessPolicy.standard().rules().stream()
                .filter(rule -> rule.method().equals("GET") && !rule.everyone())
                .map(
                        rule ->
                                dynamicTest(
                                        rule.path().toString(),
                                        () -> {
                                            reads.clear();
                                            record(Role.ADMIN, rule.path().getPatternString(), "");
                                            assertThat(reads.isEmpty())
                                                    .isEqualTo(
                                                            WITHOUT_PROJECTS.contains(rule.name()));
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
                                "project=p7&from=2026-10-01T00:00:00Z"));
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
    void a_long_filter_is_cut() throws InterruptedException {
        record(Role.AUDITOR, "/api/audit/events", "user=" + "x".repeat(5_000));
        assertThat(reads.getFirst().filter()).hasSize(1_000);
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
