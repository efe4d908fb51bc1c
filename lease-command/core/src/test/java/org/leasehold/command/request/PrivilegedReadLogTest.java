package org.leasehold.command.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.PrivilegedReadLog;
import org.leasehold.command.PrivilegedReadLog.Read;
import org.leasehold.command.RequestOrigin;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.command.execution.TestAggregate;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

class PrivilegedReadLogTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:10Z");
    private static final Read CHARGES =
            new Read("leasehold:charges:get", "/api/charges", "project=p7");

    private static EventStoreDatabase database;
    private static AnnotationConfigApplicationContext node;

    private final PrivilegedReadLog log = node.getBean(PrivilegedReadLog.class);

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
        node = database.node(TestAggregate.shell(new AtomicInteger()));
    }

    @AfterAll
    static void stop() throws IOException {
        node.close();
        database.close();
    }

    @BeforeEach
    void clear() {
        database.jdbc().sql("TRUNCATE privileged_read, request_origin").update();
    }

    private static CommandContext context(String request, String user, Instant now) {
        return new CommandContext(
                now,
                request,
                user,
                "p1",
                List.of("biller"),
                "basic",
                null,
                null,
                null,
                null,
                RequestOrigin.of("192.0.2.7", "curl/8"));
    }

    private List<String> rows() {
        return database.jdbc()
                .sql(
                        """
                        SELECT metadata ->> 'user' || ' ' || filter || ' ' || times
                        FROM privileged_read ORDER BY read_id
                        """)
                .query(String.class)
                .list();
    }

    @Test
    void equal_reads_within_a_minute_are_counted() {
        log.record(CHARGES, context("req-1", "bill", NOW));
        log.record(CHARGES, context("req-2", "bill", NOW.plusSeconds(40)));

        assertThat(rows()).containsExactly("bill project=p7 2");
        assertThat(
                        database.jdbc()
                                .sql("SELECT request_id FROM request_origin")
                                .query(String.class)
                                .list())
                .containsExactly("req-1");
    }

    @Test
    void another_minute_user_or_filter_is_another_record() {
        log.record(CHARGES, context("req-1", "bill", NOW));
        log.record(CHARGES, context("req-2", "bill", NOW.plusSeconds(60)));
        log.record(CHARGES, context("req-3", "root", NOW));
        log.record(
                new Read(CHARGES.rule(), CHARGES.path(), "project=p8"),
                context("req-4", "bill", NOW));

        assertThat(rows())
                .containsExactly(
                        "bill project=p7 1",
                        "bill project=p7 1",
                        "root project=p7 1",
                        "bill project=p8 1");
    }

    @Test
    void a_filter_of_many_bytes_is_recorded() {
        log.record(
                new Read(CHARGES.rule(), CHARGES.path(), "€".repeat(1_000)),
                context("req-1", "bill", NOW));
        assertThat(rows()).hasSize(1);
    }

    @Test
    void old_records_are_deleted_in_batches() {
        RequestDataCleanup cleanup = node.getBean(RequestDataCleanup.class);
        log.record(CHARGES, context("req-1", "a", NOW));
        log.record(CHARGES, context("req-2", "b", NOW));
        log.record(CHARGES, context("req-3", "c", NOW));
        database.jdbc()
                .sql(
                        "UPDATE privileged_read SET recorded_at = '2020-01-01T00:00:00Z'"
                                + " WHERE metadata ->> 'user' <> 'c'")
                .update();
        Instant before = Instant.parse("2021-01-01T00:00:00Z");

        assertThat(cleanup.deletePrivilegedReads(before, 1)).isEqualTo(1);
        assertThat(cleanup.deletePrivilegedReads(before, 10)).isEqualTo(1);
        assertThat(rows()).containsExactly("c project=p7 1");
    }
}
