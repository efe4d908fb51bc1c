package org.leasehold.query.access;

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
import org.leasehold.readmodel.audit.PrivilegedReads.ListReads;
import org.leasehold.readmodel.audit.PrivilegedReads.PrivilegedRead;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

class PostgresPrivilegedReadsTest {

    private static final Path TABLE =
            Path.of(
                    "../../lease-command/core/src/main/resources/db/migration/V59__privileged_reads.sql");

    private static EventDatabase database;

    private final PostgresPrivilegedReads reads = new PostgresPrivilegedReads(database.client());

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
    void record() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE privileged_read, request_origin;
                        INSERT INTO privileged_read (once, rule, path, filter, times, recorded_at,
                            last_at, metadata)
                        VALUES ('1', 'leasehold:charges:get', '/api/charges', 'project=p7', 3,
                              '2026-11-20T10:00:00Z', '2026-11-20T10:00:40Z',
                              '{"user": "bill", "project": "p1", "roles": ["biller"],
                                "reason": "invoice", "requestId": "req-1"}'),
                            ('2', 'leasehold:leases:get', '/api/leases/l9', '', 1,
                              '2026-11-20T11:00:00Z', '2026-11-20T11:00:00Z',
                              '{"user": "root", "project": "p2", "roles": ["admin"],
                                "requestId": "req-2"}'),
                            ('3', 'leasehold:charges:get', '/api/charges', 'project=p8', 1,
                              '2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z',
                              '{"user": "root", "project": "p1", "roles": ["admin"],
                                "requestId": "req-3"}');
                        INSERT INTO request_origin (request_id, user_id, address, agent)
                        VALUES ('req-1', 'bill', '192.0.2.7', 'curl/8')
                        """);
    }

    private ListReads all(@Nullable String marker, int limit) {
        return new ListReads(null, null, null, null, null, null, marker, limit);
    }

    private List<String> requests(ListReads query) {
        return reads.list(query).items().stream().map(PrivilegedRead::requestId).toList();
    }

    @Test
    void a_read_has_user_action_filter_times_reason_and_origin() {
        PrivilegedRead read = reads.list(all(null, 10)).items().getLast();

        assertThat(read.user().value()).isEqualTo("bill");
        assertThat(read.project().value()).isEqualTo("p1");
        assertThat(read.roles()).containsExactly("biller");
        assertThat(read.action()).isEqualTo("leasehold:charges:get");
        assertThat(read.path()).isEqualTo("/api/charges");
        assertThat(read.filter()).isEqualTo("project=p7");
        assertThat(read.reason()).isEqualTo("invoice");
        assertThat(read.times()).isEqualTo(3);
        assertThat(read.at()).isEqualTo(Instant.parse("2026-11-20T10:00:00Z"));
        assertThat(read.lastAt()).isEqualTo(Instant.parse("2026-11-20T10:00:40Z"));
        assertThat(read.origin()).isEqualTo(RequestOrigin.of("192.0.2.7", "curl/8"));
    }

    @Test
    void pages_start_with_the_newest_read_and_continue_at_the_marker() {
        Page<PrivilegedRead> first = reads.list(all(null, 2));
        assertThat(first.items())
                .extracting(PrivilegedRead::requestId)
                .containsExactly("req-3", "req-2");
        Page<PrivilegedRead> last = reads.list(all(first.next(), 2));
        assertThat(last.items()).extracting(PrivilegedRead::requestId).containsExactly("req-1");
        assertThat(last.next()).isNull();
    }

    @Test
    void each_condition_selects_reads() {
        assertThat(requests(new ListReads("root", null, null, null, null, null, null, 10)))
                .containsExactly("req-3", "req-2");
        assertThat(requests(new ListReads(null, "p2", null, null, null, null, null, 10)))
                .containsExactly("req-2");
        assertThat(
                        requests(
                                new ListReads(
                                        null,
                                        null,
                                        "leasehold:charges:get",
                                        null,
                                        null,
                                        null,
                                        null,
                                        10)))
                .containsExactly("req-3", "req-1");
        Instant eleven = Instant.parse("2026-11-20T11:00:00Z");
        assertThat(requests(new ListReads(null, null, null, null, eleven, null, null, 10)))
                .containsExactly("req-3", "req-2");
        assertThat(requests(new ListReads(null, null, null, null, null, eleven, null, 10)))
                .containsExactly("req-1");
    }

    @Test
    void a_text_is_found_in_the_filter_and_in_the_path() {
        assertThat(requests(new ListReads(null, null, null, "p8", null, null, null, 10)))
                .containsExactly("req-3");
        assertThat(requests(new ListReads(null, null, null, "l9", null, null, null, 10)))
                .containsExactly("req-2");
        assertThat(requests(new ListReads(null, null, null, "%", null, null, null, 10))).isEmpty();
    }

    @Test
    void a_marker_that_no_page_gave_is_unknown() {
        assertThatThrownBy(() -> reads.list(all("nonsense", 10))).isInstanceOf(UnknownMarker.class);
    }
}
