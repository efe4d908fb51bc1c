package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Held;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Holds of several commands in one transaction, chosen from memory. */
class CalendarGroupCommitTest extends CalendarGroupFixture {

    @Test
    void a_group_inserts_claims_at_the_end_without_overlap() {
        List<SampleRequests.SampleLease> leases =
                List.of(
                        lease(hours(0, 2), hosts(1, 1)),
                        lease(hours(1, 3), hosts(1, 1)),
                        lease(hours(1, 2), hosts(1, 1)));
        List<Long> held = new ArrayList<>();
        database.together(
                () -> {
                    for (SampleRequests.SampleLease lease : leases) {
                        Held grant = (Held) hold(lease);
                        held.addAll(
                                SampleRequests.ids(
                                        Objects.requireNonNull(
                                                grant.allocations().get(lease.reservation()))));
                    }
                    assertThat(database.claims("WHERE upper(during) < '2030-01-03'")).isEmpty();
                });

        assertThat(held).containsExactly(1L, 2L, 3L);
        for (int i = 0; i < leases.size(); i++) {
            assertThat(database.claims(leases.get(i).reservation()))
                    .singleElement()
                    .matches(claim -> claim.during().length().toHours() >= 1);
        }
        assertThat(database.overlaps()).isZero();
    }

    @Test
    void a_request_that_memory_cannot_grant_is_decided_alone() {
        assertThatThrownBy(() -> database.together(() -> hold(lease(hours(0, 1), hosts(4, 4)))))
                .isInstanceOf(DecideAloneException.class);
    }

    @Test
    void an_outdated_memory_does_not_reduce_a_grant() {
        SampleRequests.SampleLease early = lease(hours(0, 1), hosts(2, 2));
        hold(calendar, early);
        database.index.replaceClaims(
                early.id(), early.reservation(), database.claims(early.reservation()));
        // Memory does not include this change.
        giveUp(early);
        SampleRequests.SampleLease late = lease(hours(0, 1), hosts(1, 3));
        assertThatThrownBy(() -> database.together(() -> hold(late)))
                .isInstanceOf(DecideAloneException.class);

        assertThat(granted(late, hold(calendar, late))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void a_resource_released_during_the_decision_is_granted() {
        SampleRequests.SampleLease early = lease(hours(0, 1), hosts(2, 2));
        hold(calendar, early);
        SampleRequests.SampleLease late = lease(hours(0, 1), hosts(1, 3));
        Deque<Runnable> meanwhile = new ArrayDeque<>();
        Calendar overtaken = database.overtaken(meanwhile);
        // The first hold of a node takes two snapshots, because it has not loaded the inventory
        // yet.
        hold(overtaken, lease(hours(91, 92), hosts(1, 1)));
        meanwhile.add(() -> giveUp(early));
        assertThat(granted(late, hold(overtaken, late))).containsExactly(1L, 2L, 3L);
        assertThat(meanwhile).isEmpty();
    }

    @Test
    void only_a_reduced_grant_locks_the_event_log() {
        database.transactions.executeWithoutResult(
                _ -> {
                    assertThat(hold(lease(hours(0, 1), hosts(1, 4)))).isInstanceOf(Held.class);
                    assertThat(mayAppend()).isFalse();
                });
        database.transactions.executeWithoutResult(
                _ -> {
                    assertThat(hold(lease(hours(1, 2), hosts(1, 3)))).isInstanceOf(Held.class);
                    assertThat(mayAppend()).isTrue();
                });
    }

    @Test
    void a_rehearsal_of_a_reduced_grant_does_not_lock_the_event_log() {
        database.transactions.executeWithoutResult(
                transaction -> {
                    transaction.setRollbackOnly();
                    try {
                        Grant grant = group.rehearse(() -> hold(lease(hours(0, 1), hosts(1, 4))));
                        assertThat(grant).isInstanceOf(Held.class);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    assertThat(mayAppend()).isTrue();
                });
    }

    @Test
    void a_pessimistic_group_leaves_a_reduced_grant_to_be_decided_alone() {
        database.contentionMode.recordContention();
        SampleRequests.SampleLease more = lease(hours(0, 1), hosts(1, 4));
        SampleRequests.SampleLease other = lease(hours(0, 1), hosts(3, 3));
        database.together(
                () -> {
                    assertThatThrownBy(() -> hold(more)).isInstanceOf(DecideAloneException.class);
                    hold(other);
                });
        assertThat(database.claims(more.reservation())).isEmpty();
        assertThat(database.claims(other.reservation())).hasSize(3);
    }

    private List<Long> granted(SampleRequests.SampleLease lease, Grant grant) {
        return SampleRequests.ids(
                Objects.requireNonNull(((Held) grant).allocations().get(lease.reservation())));
    }

    /** Gives up a lease on another node. */
    private void giveUp(SampleRequests.SampleLease lease) {
        CompletableFuture.runAsync(
                        () ->
                                database.settle(
                                        database.anotherNode(),
                                        new GiveUp(
                                                lease.id(),
                                                lease.reservations(),
                                                hours(0, 1).start())))
                .join();
    }

    private boolean mayAppend() {
        return CompletableFuture.supplyAsync(
                        () ->
                                Objects.requireNonNull(
                                        database.jdbc.queryForObject(
                                                "SELECT pg_try_advisory_xact_lock(1)",
                                                Boolean.class)))
                .join();
    }

    @Test
    void a_wrong_memory_fails_the_group_and_rolls_back_all_claims() {
        SampleRequests.SampleLease theirs = lease(hours(0, 1), hosts(3, 3));
        // Another node, with its own memory.
        hold(database.anotherNode(), theirs);
        SampleRequests.SampleLease ownLease = lease(hours(5, 6), hosts(1, 1));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            hold(ownLease);
                                            hold(lease(hours(0, 1), hosts(1, 1)));
                                        }))
                .isInstanceOf(CalendarContention.class);

        assertThat(database.claims(ownLease.reservation())).isEmpty();
        assertThat(database.index.isFree(new ResourceId(1), hours(5, 6))).isTrue();
        // From now on, the calendar takes a snapshot first, for a while.
        assertThatThrownBy(() -> database.together(() -> hold(lease(hours(0, 1), hosts(1, 1)))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("HoldRefused");
    }

    @Test
    void a_discarded_decision_claims_nothing() {
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(3, 3));
        database.together(
                () -> {
                    calendar.executeAndDecide(lease.hold(), grant -> grant, _ -> false);
                    assertThat(hold(lease(hours(0, 1), hosts(3, 3)))).isInstanceOf(Held.class);
                });

        assertThat(database.claims(lease.reservation())).isEmpty();
    }
}
