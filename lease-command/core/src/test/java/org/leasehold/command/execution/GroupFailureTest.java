package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The commands of a group that fail, or are refused or rejected. */
class GroupFailureTest extends GroupCommitFixture {

    @Test
    void a_failed_command_does_not_fail_the_group() {
        LeaseId broken = ids(1).getFirst();
        create(broken).send();
        List<LeaseId> leases = ids(3);
        List<Sending> sent = new ArrayList<>(leases.stream().map(this::create).toList());
        sent.add(1, () -> send(new ForceEnd(broken)));

        assertThatThrownBy(() -> grouped(sent))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("a defect");
        assertThat(leases).allMatch(lease -> events(lease) == 1);
        assertThat(events(broken)).isOne();
    }

    @Test
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void an_error_in_a_commit_does_not_affect_the_next_command() {
        LeaseId broken = ids(1).getFirst();
        create(broken).send();

        assertThatThrownBy(() -> send(new RetryLease(broken))).hasMessage("an error");

        assertThat(events(broken)).isOne();
        LeaseId next = ids(1).getFirst();
        assertThat(create(next).send()).isInstanceOf(Accepted.class);
        assertThat(events(next)).isOne();
    }

    @Test
    void refusals_share_a_transaction_until_a_command_is_accepted() {
        List<LeaseId> full = ids(3);
        full.forEach(lease -> create(lease).send());
        LeaseId other = ids(1).getFirst();
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                refused(full.get(0)),
                                refused(full.get(1)),
                                create(other),
                                refused(full.get(2))));

        assertThat(outcomes.subList(0, 2)).containsOnly(new Refused<>(List.of(), last(other)));
        // Two creations before the group, and the group.
        assertThat(transactions(List.of(full.get(0), full.get(1), other))).isEqualTo(3);
        // No event of the same transaction hides the events behind the refusal.
        assertThat(outcomes.get(3)).isEqualTo(new Refused<>(List.of(), last(full.get(2))));
        assertThat(last(full.get(2))).isGreaterThan(last(other));
    }

    @Test
    void a_group_has_a_limited_number_of_refusals() {
        List<LeaseId> full = ids(10);
        full.forEach(lease -> create(lease).send());
        List<Outcome<LeaseRejection>> outcomes =
                grouped(full.stream().map(GroupFailureTest.this::refused).toList());

        long together = last(full.get(7));
        assertThat(outcomes.subList(0, 8)).containsOnly(new Refused<>(List.of(), together));
        assertThat(outcomes.subList(8, 10))
                .containsExactly(
                        new Refused<>(List.of(), together + 1),
                        new Refused<>(List.of(), together + 2));
    }

    @Test
    void a_refusal_of_a_failed_group_is_decided_again() {
        List<LeaseId> leases = ids(2);
        leases.forEach(lease -> create(lease).send());
        assertThatThrownBy(
                        () ->
                                grouped(
                                        List.of(
                                                refused(leases.get(0)),
                                                () -> send(new ForceEnd(leases.get(1))))))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("a defect");
        assertThat(events(leases.get(0))).isEqualTo(2);
        assertThat(events(leases.get(1))).isOne();
    }

    @Test
    void a_rejection_in_a_group_stores_no_event_and_no_key() {
        LeaseId missing = ids(1).getFirst();
        Idempotency key = new Idempotency("p", "k", "hash");
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                create(ids(1).getFirst()),
                                () -> commands.send(rename(missing), context("req-1", 0, key)),
                                create(ids(1).getFirst())));

        assertThat(outcomes.get(1)).isInstanceOf(Rejected.class);
        assertThat(jdbc.sql("SELECT count(*) FROM idempotency").query(Long.class).single())
                .isZero();
        assertThat(events(missing)).isZero();
    }

    @Test
    void a_lost_connection_fails_the_commands_without_a_retry() {
        List<LeaseId> leases = ids(3);
        List<CompletableFuture<Outcome<LeaseRejection>>> sent = new ArrayList<>();
        locked(
                () -> {
                    sent.add(start(create(leases.get(0))));
                    EventStoreDatabase.await(() -> database.waitingForTheLock() == 1);
                    sent.add(start(create(leases.get(1))));
                    sent.add(start(create(leases.get(2))));
                    EventStoreDatabase.await(
                            () -> node.getBean(GroupCommit.class).queueLength() == 2);
                    cutOffWhoWaitsForTheLock();
                    EventStoreDatabase.await(() -> sent.getFirst().isDone());
                    EventStoreDatabase.await(() -> database.waitingForTheLock() == 1);
                    cutOffWhoWaitsForTheLock();
                    EventStoreDatabase.await(
                            () -> sent.stream().allMatch(CompletableFuture::isDone));
                });

        assertThat(sent).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(leases).allMatch(lease -> events(lease) == 0);
        assertThat(create(leases.getFirst()).send()).isInstanceOf(Accepted.class);
    }

    private void cutOffWhoWaitsForTheLock() {
        jdbc.sql(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d
                            ON d.oid = database AND datname = current_database()
                        WHERE locktype = 'advisory' AND NOT granted
                        """)
                .query()
                .listOfRows();
    }
}
