package org.leasehold.command.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.IdempotentResponses;
import org.leasehold.command.IdempotentResponses.Answer;
import org.leasehold.command.IdempotentResponses.Known;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.execution.EventStoreDatabase;
import org.leasehold.command.execution.TestAggregate;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

class IdempotentResponsesTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant NEXT_DAY = Instant.parse("2030-01-02T00:00:00Z");
    private static final Idempotency KEY = new Idempotency("p", "k", "hash", "ada");

    private static EventStoreDatabase database;
    private static AnnotationConfigApplicationContext node;

    private final IdempotentResponses kept = node.getBean(IdempotentResponses.class);
    private final LeaseId lease = new LeaseId(UUID.randomUUID());

    @BeforeAll
    static void start() {
        database = new EventStoreDatabase();
        node = database.node(TestAggregate.shell(new AtomicInteger()));
    }

    @AfterAll
    static void stop() {
        node.close();
        database.close();
    }

    @BeforeEach
    void forget() {
        database.jdbc().sql("TRUNCATE kept_answer, idempotency").update();
    }

    @Test
    void the_first_answer_is_kept_for_a_day() {
        assertThat(kept.find(KEY, NOW)).isEqualTo(new Known.Nothing());
        assertThat(kept.storeFirst(KEY, answer(201, "first"), NOW)).isTrue();
        assertThat(kept.storeFirst(KEY, answer(200, "second"), NOW)).isFalse();
        assertThat(text(kept.find(KEY, NEXT_DAY.minusSeconds(1)))).isEqualTo("201 {ETag=1} first");

        assertThat(kept.find(KEY, NEXT_DAY)).isEqualTo(new Known.Nothing());
        assertThat(kept.storeFirst(KEY, answer(200, "new"), NEXT_DAY)).isTrue();
        assertThat(text(kept.find(KEY, NEXT_DAY))).isEqualTo("200 {ETag=1} new");
    }

    @Test
    void old_answers_are_deleted() {
        kept.storeFirst(KEY, answer(201, "first"), NOW);

        node.getBean(RequestDataCleanup.class).deleteExpiredResponses(NEXT_DAY, 100);

        assertThat(database.jdbc().sql("SELECT key FROM kept_answer").query().listOfRows())
                .isEmpty();
    }

    @Test
    void old_keys_of_commands_are_deleted_in_batches() {
        for (int i = 0; i < 5; i++) {
            accept(new Idempotency("p", "k" + i, "hash", "ada"));
        }
        RequestDataCleanup housekeeping = node.getBean(RequestDataCleanup.class);

        assertThat(housekeeping.deleteExpiredKeys(NEXT_DAY, 3)).isEqualTo(3);
        assertThat(housekeeping.deleteExpiredKeys(NEXT_DAY, 3)).isEqualTo(2);
        assertThat(housekeeping.deleteExpiredKeys(NEXT_DAY, 3)).isZero();
    }

    @Test
    void keys_of_different_users_and_projects_are_independent() {
        kept.storeFirst(KEY, answer(201, "ada's"), NOW);
        accept(KEY);

        for (Idempotency other :
                List.of(
                        new Idempotency("p", "k", "hash", "eve"),
                        new Idempotency("q", "k", "hash", "ada"))) {
            assertThat(kept.find(other, NOW)).isEqualTo(new Known.Nothing());
            assertThat(accept(other)).isInstanceOf(Accepted.class);
        }
    }

    @Test
    void the_key_of_an_error_may_be_reused_for_another_request() {
        Idempotency other = new Idempotency("p", "k", "other", "ada");
        kept.storeFirst(KEY, answer(400, "no name"), NOW);

        assertThat(kept.find(other, NOW)).isEqualTo(new Known.Nothing());
        assertThat(kept.storeFirst(other, answer(201, "named"), NOW)).isTrue();
        assertThat(text(kept.find(KEY, NOW))).isEqualTo("400 {ETag=1} no name");
    }

    @Test
    void the_key_of_a_command_cannot_be_reused_for_another_request() {
        accept(KEY);

        assertThat(kept.find(new Idempotency("p", "k", "other", "ada"), NOW))
                .isEqualTo(new Known.AnotherRequest());
    }

    @Test
    void an_error_is_not_stored_as_the_answer_to_an_accepted_command() {
        Accepted<?> accepted = accept(KEY);

        assertThat(kept.find(KEY, NOW)).isEqualTo(new Known.Done(accepted.position(), false));
        assertThat(kept.storeFirst(KEY, answer(404, "gone"), NOW)).isFalse();
        assertThat(kept.storeFirst(KEY, answer(204, ""), NOW)).isTrue();
        assertThat(text(kept.find(KEY, NOW))).isEqualTo("204 {ETag=1} ");
    }

    @Test
    void an_error_is_stored_as_the_answer_to_a_refused_command() {
        Commands commands = node.getBean(Commands.class);
        commands.send(EventSamples.creation(lease), context(null));
        assertThat(commands.send(new EndLease(lease, EndCause.REQUESTED), context(KEY)))
                .isInstanceOf(Refused.class);

        assertThat(kept.storeFirst(KEY, answer(409, "too few"), NOW)).isTrue();
    }

    @Test
    void only_the_same_request_matches_a_key_of_an_earlier_version() {
        Accepted<?> accepted = accept(KEY.sharedByProject());

        assertThat(kept.find(KEY, NOW)).isEqualTo(new Known.Done(accepted.position(), true));
        assertThat(kept.storeFirst(KEY, answer(404, "gone"), NOW)).isFalse();
        assertThat(kept.find(new Idempotency("p", "k", "other", "ada"), NOW))
                .isEqualTo(new Known.Nothing());
    }

    private Accepted<?> accept(Idempotency key) {
        return (Accepted<?>)
                node.getBean(Commands.class)
                        .send(EventSamples.creation(new LeaseId(UUID.randomUUID())), context(key));
    }

    private static CommandContext context(Idempotency key) {
        return new CommandContext(NOW, "req", "ada", "p", List.of(), "basic", key);
    }

    private static Answer answer(int status, String body) {
        return new Answer(status, Map.of("ETag", "1"), body);
    }

    private static String text(Known known) {
        Answer answer = ((Known.Answered) known).answer();
        return "%s %s %s".formatted(answer.status(), answer.headers(), answer.body());
    }
}
