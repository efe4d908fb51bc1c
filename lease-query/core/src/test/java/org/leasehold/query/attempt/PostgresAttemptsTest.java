package org.leasehold.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.RequestOrigin;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.DeniedAttempts.DeniedAttempt;
import org.leasehold.readmodel.audit.DeniedAttempts.ListAttempts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

class PostgresAttemptsTest {

    private static final Path TABLE =
            Path.of(
                    "../../lease-command/core/src/main/resources/db/migration/V33__denied_access.sql");

    private static EventDatabase database;

    private final PostgresAttempts attempts = new PostgresAttempts(database.client());

    @BeforeAll
    static void start() throws IOException {
        database = new EventDatabase();
        database.jdbc().execute(Files.readString(TABLE));
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void tried() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE denied_attempt;
                        INSERT INTO denied_attempt (target, command, rejection, metadata,
                            recorded_at, last_at, times)
                        VALUES ('a', 'EndLease', '{"type": "LeaseNotFound"}',
                              '{"user": "eve", "project": "p1", "roles": ["member", "planner"],
                                "requestId": "req-1"}', '2026-11-20T10:00:00Z', NULL, 1),
                            ('a', 'leasehold:leases:get', '{"type": "another_project"}',
                              '{"user": "eve", "project": "p2", "roles": ["reader"],
                                "requestId": "req-2"}', '2026-11-20T11:00:00Z',
                              '2026-11-20T11:00:40Z', 12),
                            ('7', 'RetireResource', '{"type": "StillInUse"}',
                              '{"user": "root", "project": "p1", "roles": ["admin"],
                                "requestId": "req-3"}', '2026-11-20T12:00:00Z', NULL, 1)
                        """);
    }

    @Test
    void a_denied_attempt_contains_the_user_action_time_and_reason() {
        DeniedAttempt several = list(null, "p2", null, null, 10).items().getFirst();

        assertThat(several.user().value()).isEqualTo("eve");
        assertThat(several.project().value()).isEqualTo("p2");
        assertThat(several.roles()).containsExactly("reader");
        assertThat(several.attempt()).isEqualTo("leasehold:leases:get");
        assertThat(several.target()).isEqualTo("a");
        assertThat(several.why()).isEqualTo("another_project");
        assertThat(several.requestId()).isEqualTo("req-2");
        assertThat(several.times()).isEqualTo(12);
        assertThat(several.at()).isEqualTo(Instant.parse("2026-11-20T11:00:00Z"));
        assertThat(several.lastAt()).isEqualTo(Instant.parse("2026-11-20T11:00:40Z"));
        DeniedAttempt one = list("root", null, null, null, 10).items().getFirst();
        assertThat(one.lastAt()).isEqualTo(one.at());
    }

    @Test
    void pages_start_with_the_newest_attempt_and_continue_at_the_marker() {
        Page<DeniedAttempt> first = list(null, null, null, null, 2);
        assertThat(first.items())
                .extracting(DeniedAttempt::requestId)
                .containsExactly("req-3", "req-2");
        Page<DeniedAttempt> last = list(null, null, null, first.next(), 2);
        assertThat(last.items()).extracting(DeniedAttempt::requestId).containsExactly("req-1");
        assertThat(last.next()).isNull();
    }

    @Test
    void conditions_are_combined_by_and() {
        assertThat(list("eve", "p1", "a", null, 10).items())
                .extracting(DeniedAttempt::requestId)
                .containsExactly("req-1");
        assertThat(list("root", null, "a", null, 10).items()).isEmpty();
    }

    @Test
    void attempts_are_found_by_the_address_of_the_request() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE request_origin;
                        INSERT INTO request_origin (request_id, user_id, address, agent)
                        VALUES ('req-1', 'eve', '192.0.2.7', 'curl/8'),
                            ('req-3', 'root', '192.0.3.7', NULL)
                        """);
        AddressRange near = AddressRange.of("192.0.2.0/24");

        List<DeniedAttempt> found =
                attempts.list(new ListAttempts(null, null, null, null, near, null, null, null, 10))
                        .items();

        assertThat(found).extracting(DeniedAttempt::requestId).containsExactly("req-1");
        assertThat(found.getFirst().origin()).isEqualTo(RequestOrigin.of("192.0.2.7", "curl/8"));
        assertThat(list("eve", "p2", null, null, 10).items().getFirst().origin()).isNull();
    }

    @Test
    void repeated_attempts_are_found_by_the_time_of_the_first() {
        Instant eleven = Instant.parse("2026-11-20T11:00:00Z");

        assertThat(between(eleven, null)).containsExactly("req-3", "req-2");
        assertThat(between(null, eleven)).containsExactly("req-1");
        assertThat(between(eleven, eleven.plusSeconds(1))).containsExactly("req-2");
        assertThat(between(eleven.plusSeconds(1), eleven.plusSeconds(3600))).isEmpty();
    }

    private List<String> between(@Nullable Instant from, @Nullable Instant to) {
        return attempts
                .list(new ListAttempts(null, null, null, null, null, from, to, null, 10))
                .items()
                .stream()
                .map(DeniedAttempt::requestId)
                .toList();
    }

    /** Stream 7 of the project has the id of an attempt's target, but is no lease. */
    @Test
    void attempts_are_found_by_the_project_of_the_lease() {
        database.jdbc().execute("TRUNCATE domain_event");
        database.append("Lease", "a", "LeaseRequested", "{\"projectId\": \"p9\"}", "{}");
        database.append("Lease", "a", "LeaseDeleted", "{\"projectId\": \"p1\"}", "{}");
        database.append("Resource", "7", "ResourceEnrolled", "{\"projectId\": \"p9\"}", "{}");

        assertThat(at("p9")).containsExactly("req-2", "req-1");
        assertThat(at("p1")).isEmpty();
    }

    private List<String> at(String targetProject) {
        return attempts
                .list(new ListAttempts(null, null, null, targetProject, null, null, null, null, 10))
                .items()
                .stream()
                .map(DeniedAttempt::requestId)
                .toList();
    }

    @Test
    void an_unknown_marker_is_rejected() {
        assertThatThrownBy(() -> list(null, null, null, "x", 10)).isInstanceOf(UnknownMarker.class);
    }

    private Page<DeniedAttempt> list(
            @Nullable String user,
            @Nullable String project,
            @Nullable String target,
            @Nullable String marker,
            int limit) {
        return attempts.list(
                new ListAttempts(user, project, target, null, null, null, null, marker, limit));
    }
}
