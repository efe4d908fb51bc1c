package org.leasehold.command.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.DenialLog;
import org.leasehold.command.DenialLog.Why;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.RequestOrigin;
import org.leasehold.command.RequestOrigins;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.command.execution.TestAggregate;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

class RequestOriginsTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final RequestOrigin HERE = RequestOrigin.of("192.0.2.7", "curl/8");
    private static final RequestOrigin THERE = RequestOrigin.of("2001:db8::7", null);

    private static EventStoreDatabase database;
    private static AnnotationConfigApplicationContext node;

    private final Commands commands = node.getBean(Commands.class);
    private final RequestOrigins origins = node.getBean(RequestOrigins.class);
    private final LeaseId lease = new LeaseId(UUID.randomUUID());

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
    void forget() {
        database.jdbc().sql("TRUNCATE request_origin, origin_erasure, denied_attempt").update();
    }

    @Test
    void the_origin_of_an_accepted_or_refused_command_is_stored() {
        send(EventSamples.creation(lease), "req-1", "ada", HERE);
        send(rename("b"), "req-2", "eve", THERE);
        send(rename("c"), "req-3", "eve", new RequestOrigin(null, "a proxy's"));
        assertThat(send(new EndLease(lease, EndCause.REQUESTED), "req-4", "eve", HERE))
                .isInstanceOf(Refused.class);

        assertThat(kept())
                .containsExactly(
                        "req-1 ada 192.0.2.7 curl/8",
                        "req-2 eve 2001:db8::7 null",
                        "req-3 eve null a proxy's",
                        "req-4 eve 192.0.2.7 curl/8");
    }

    @Test
    void a_request_with_several_commands_stores_one_origin() {
        send(EventSamples.creation(lease), "req-1", "ada", HERE);
        send(rename("b"), "req-1", "ada", HERE);

        assertThat(kept()).containsExactly("req-1 ada 192.0.2.7 curl/8");
    }

    @Test
    void a_command_without_effect_stores_no_origin() {
        send(EventSamples.creation(lease), "req-1", "ada", null);
        Idempotency key = new Idempotency("p", UUID.randomUUID().toString(), "hash");
        LeaseCommand creation = EventSamples.creation(new LeaseId(UUID.randomUUID()));
        commands.send(creation, context("req-2", "ada", HERE, key));
        commands.send(creation, context("req-3", "ada", HERE, key));
        commands.rehearse(
                EventSamples.creation(new LeaseId(UUID.randomUUID())),
                context("req-4", "ada", HERE, null));
        send(new StartLease(lease), "req-5", "ada", HERE);

        assertThat(kept()).containsExactly("req-2 ada 192.0.2.7 curl/8");
    }

    @Test
    void the_origin_of_a_rejected_command_is_stored() {
        assertThat(send(rename("b"), "req-1", "eve", HERE)).isInstanceOf(Rejected.class);

        assertThat(kept()).containsExactly("req-1 eve 192.0.2.7 curl/8");
    }

    @Test
    void equal_denials_store_the_origin_of_the_first() {
        DenialLog access = node.getBean(DenialLog.class);
        String target = lease.toString();
        access.record(Why.ROLE, "read", target, context("req-1", "eve", HERE, null));
        access.record(Why.ROLE, "read", target, context("req-2", "eve", THERE, null));
        access.record(Why.ROLE, "write", target, context("req-3", "eve", null, null));

        assertThat(kept()).containsExactly("req-1 eve 192.0.2.7 curl/8");
    }

    @Test
    void denied_logins_are_counted_by_address_with_the_first_origin() {
        DenialLog access = node.getBean(DenialLog.class);
        access.record(Why.LOGIN_FAILED, "login", "-", context("req-1", "eve", HERE, null));
        access.record(Why.LOGIN_FAILED, "login", "-", context("req-2", "eve", HERE, null));
        access.record(Why.LOGIN_FAILED, "login", "-", context("req-3", "eve", THERE, null));
        access.record(Why.LOGIN_THROTTLED, "login", "-", context("req-4", "eve", HERE, null));

        assertThat(kept())
                .containsExactly(
                        "req-1 eve 192.0.2.7 curl/8",
                        "req-3 eve 2001:db8::7 null",
                        "req-4 eve 192.0.2.7 curl/8");
        assertThat(
                        texts(
                                """
                                SELECT concat_ws(' ', rejection ->> 'type', times)
                                FROM denied_attempt ORDER BY attempt_id
                                """))
                .containsExactly("login_failed 2", "login_failed 1", "login_throttled 1");
        // Rows stay when the addresses are erased.
        assertThat(texts("SELECT denied_attempt::text FROM denied_attempt"))
                .noneMatch(row -> row.contains("192.0.2.7") || row.contains("2001:db8"));
    }

    @Test
    void an_erasure_of_the_origins_of_a_user_records_the_erasing_user() {
        send(EventSamples.creation(lease), "req-1", "ada", HERE);
        send(rename("b"), "req-2", "eve", HERE);
        send(rename("c"), "req-3", "eve", HERE);
        CommandContext root = context("req-9", "root", THERE, null);

        assertThat(origins.erase("eve", null, root)).isEqualTo(2);
        assertThat(origins.erase("eve", null, root)).isZero();

        assertThat(kept()).containsExactly("req-1 ada 192.0.2.7 curl/8");
        assertThat(
                        texts(
                                """
                                SELECT concat_ws(' ', of_user, erased, metadata ->> 'user',
                                    metadata ->> 'requestId') FROM origin_erasure ORDER BY erasure_id
                                """))
                .containsExactly("eve 2 root req-9", "eve 0 root req-9");
    }

    @Test
    void an_erasure_by_age_removes_only_older_origins() {
        send(EventSamples.creation(lease), "req-1", "ada", HERE);
        send(rename("b"), "req-2", "eve", HERE);
        send(rename("c"), "req-3", "ada", HERE);
        database.jdbc()
                .sql(
                        """
                        UPDATE request_origin SET at = at - interval '1 day'
                        WHERE request_id <> 'req-3'
                        """)
                .update();
        Instant lately = Instant.now().minus(Duration.ofHours(1));

        assertThat(origins.erase("eve", lately, context("req-9", "root", null, null))).isOne();
        assertThat(
                        origins.erase(
                                "ada",
                                lately.minus(Duration.ofDays(1)),
                                context("req-9", "root", null, null)))
                .isZero();
        RequestDataCleanup housekeeping = node.getBean(RequestDataCleanup.class);
        assertThat(housekeeping.eraseOrigins(lately, 10)).isOne();

        assertThat(kept()).containsExactly("req-3 ada 192.0.2.7 curl/8");
        assertThat(housekeeping.eraseOrigins(Instant.now().plusSeconds(60), 1)).isOne();
    }

    @Test
    void an_event_contains_no_request_origin() {
        send(EventSamples.creation(lease), "req-1", "ada", HERE);

        assertThat(
                        texts(
                                "SELECT metadata::text FROM domain_event WHERE stream_id = '"
                                        + lease
                                        + "'"))
                .singleElement()
                .asString()
                .contains("req-1")
                .doesNotContain("192.0.2.7", "curl", "origin");
    }

    private Outcome<?> send(
            LeaseCommand command, String request, String user, @Nullable RequestOrigin origin) {
        return commands.send(command, context(request, user, origin, null));
    }

    private ChangeLease rename(String name) {
        return new ChangeLease(lease, name, null, null, null, List.of());
    }

    private static CommandContext context(
            String request,
            String user,
            @Nullable RequestOrigin origin,
            @Nullable Idempotency key) {
        return new CommandContext(
                NOW, request, user, "p", List.of("member"), "basic", null, null, key, null, origin);
    }

    private static List<String> kept() {
        return texts(
                """
                SELECT request_id || ' ' || user_id || ' ' || coalesce(host(address), 'null')
                    || ' ' || coalesce(agent, 'null')
                FROM request_origin ORDER BY request_id
                """);
    }

    private static List<String> texts(String query) {
        return database.jdbc().sql(query).query(String.class).list();
    }
}
