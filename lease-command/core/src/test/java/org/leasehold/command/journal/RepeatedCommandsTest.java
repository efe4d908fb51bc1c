package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.RequestOrigin;
import org.leasehold.command.request.CommandMetadata;
import org.leasehold.command.request.RequestDataCleanup;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.IdempotencyKeyReused;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.vocabulary.LeaseId;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/** The idempotency keys of requests. */
class RepeatedCommandsTest extends JournalFixture {

    @Test
    void a_repeated_request_gets_the_first_outcome() {
        Idempotency key = key("k-accepted", "hash");
        Outcome<LeaseRejection> first = commands.send(EventSamples.creation(lease), context(key));
        send(rename("b"));
        LeaseId repeated = new LeaseId(UUID.randomUUID());
        assertThat(elsewhere.send(EventSamples.creation(repeated), context(key))).isEqualTo(first);
        assertThat(events(repeated)).isEmpty();
    }

    @Test
    void a_repeated_request_that_was_refused_is_refused_again() {
        send(EventSamples.creation(lease));
        Idempotency key = key("k-refused", "hash");
        EndLease end = new EndLease(lease, EndCause.REQUESTED);
        Outcome<LeaseRejection> first = commands.send(end, context(key));
        assertThat(first).isInstanceOf(Refused.class);
        assertThat(commands.send(end, context(key))).isEqualTo(first);
        assertThat(events(lease)).hasSize(2);
    }

    @Test
    void a_repeated_request_that_was_rejected_is_decided_again() {
        Idempotency key = key("k-rejected", "hash");
        assertThat(commands.send(rename("b"), context(key))).isInstanceOf(Rejected.class);
        send(EventSamples.creation(lease));
        assertThat(commands.send(rename("b"), context(key))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_request_over_the_network_that_waited_too_long_is_not_decided() {
        Idempotency key = key("k-waited", "hash");
        Instant now = node.getBean(Clock.class).instant();
        CommandContext waited =
                fromNetwork(key, now.minus(CommandMetadata.MAX_REQUEST_AGE).minusSeconds(1));
        LeaseCommand creation = EventSamples.creation(lease);
        assertThatThrownBy(() -> commands.send(creation, waited))
                .isInstanceOf(ContentionException.class);
        assertThat(events(lease)).isEmpty();
        assertThat(commands.send(creation, fromNetwork(key, now))).isInstanceOf(Accepted.class);
    }

    private static CommandContext fromNetwork(Idempotency key, Instant now) {
        return context(key, now).withOrigin(new RequestOrigin(null, "curl"));
    }

    @Test
    void a_key_cannot_be_reused_for_another_request() {
        commands.send(EventSamples.creation(lease), context(key("k-reused", "hash")));
        assertThat(commands.send(rename("b"), context(key("k-reused", "other"))))
                .isEqualTo(new Rejected<>(new IdempotencyKeyReused("k-reused")));
        assertThat(events(lease)).hasSize(1);
    }

    @Test
    void keys_of_two_projects_are_independent() {
        commands.send(EventSamples.creation(lease), context(key("k-shared", "hash")));
        Idempotency theirs = new Idempotency("other project", "k-shared", "other");
        assertThat(commands.send(rename("b"), context(theirs))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_key_expires_after_a_day() {
        Idempotency key = key("k-old", "hash");
        Instant nextDay = NOW.plusSeconds(24 * 3600);
        commands.send(EventSamples.creation(lease), context(key));
        assertThat(
                        commands.send(
                                EventSamples.creation(lease),
                                context(key, nextDay.minusSeconds(1))))
                .isInstanceOf(Accepted.class);
        assertThat(commands.send(EventSamples.creation(lease), context(key, nextDay)))
                .isEqualTo(new Rejected<>(new LeaseExists(lease)));
        assertThat(node.getBean(RequestDataCleanup.class).deleteExpiredKeys(nextDay, 100))
                .isPositive();
        assertThat(
                        database.jdbc()
                                .sql("SELECT count(*) FROM idempotency")
                                .query(Long.class)
                                .single())
                .isZero();
    }

    @Test
    void a_request_sent_concurrently_with_one_key_is_executed_once() throws Exception {
        Idempotency key = key("k-race", "hash");
        List<Callable<Outcome<LeaseRejection>>> requests = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            Commands target = i % 2 == 0 ? commands : elsewhere;
            requests.add(
                    () ->
                            target.send(
                                    EventSamples.creation(new LeaseId(UUID.randomUUID())),
                                    context(key)));
        }
        long before = engine.head();
        assertThat(atOnce(requests)).hasSize(32).containsOnly(new Accepted<>(last(before)));
        assertThat(stored(before)).hasSize(1);
    }

    private static Idempotency key(String key, String hash) {
        return new Idempotency("p", key, hash);
    }
}
