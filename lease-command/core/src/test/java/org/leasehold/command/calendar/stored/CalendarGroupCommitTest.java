package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Awaited;
import org.leasehold.command.calendar.Grant.Held;
import org.leasehold.command.calendar.Grant.TakenUp;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Tenure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Holds of several commands in one transaction, chosen from memory. */
class CalendarGroupCommitTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture().withHosts(3);
    private final Calendar calendar = database.calendar();
    private final CalendarGroupCommit group = Objects.requireNonNull(database.group);

    @BeforeEach
    void fillMemory() {
        database.loadMemory(calendar);
    }

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
                                        new GiveUp(lease.id(), hours(0, 1).start())))
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
                .hasMessageContaining("TooFew");
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

    @Test
    void tenures_become_current_at_the_end_of_the_group() {
        List<SampleRequests.SampleLease> leases =
                List.of(lease(hours(0, 1), hosts(1, 1)), lease(hours(0, 1), hosts(2, 2)));
        List<Grant> held = leases.stream().map(lease -> hold(calendar, lease)).toList();
        List<Tenure> tenures = new ArrayList<>();
        database.together(
                () -> {
                    for (int i = 0; i < leases.size(); i++) {
                        Grant grant = takeUp(calendar, leases.get(i), held.get(i));
                        tenures.addAll(((TakenUp) grant).tenures());
                    }
                    assertThat(tenures).noneMatch(((CurrentTenures) calendar)::isCurrent);
                });

        assertThat(tenures)
                .extracting(Tenure::reservation)
                .containsExactly(leases.get(0).reservation(), leases.get(1).reservation());
        assertThat(tenures).allMatch(((CurrentTenures) calendar)::isCurrent);
        assertThat(tenures.get(0).generation()).isNotEqualTo(tenures.get(1).generation());
    }

    @Test
    void a_running_lease_without_resources_gets_a_tenure_with_the_grant() {
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, 2));
        CalendarRequest<?> joining = lease.change(hours(0, 1), hosts(2, 2), List.of(), true);
        List<Tenure> tenures = new ArrayList<>();
        database.together(
                () ->
                        tenures.addAll(
                                ((Held)
                                                calendar.executeAndDecide(
                                                        joining, grant -> grant, _ -> true))
                                        .tenures()));

        assertThat(tenures).extracting(Tenure::reservation).containsExactly(lease.reservation());
        assertThat(tenures).allMatch(((CurrentTenures) calendar)::isCurrent);
    }

    @Test
    void a_waiting_start_does_not_fail_the_group() {
        SampleRequests.SampleLease early = lease(hours(0, 1), hosts(3, 3));
        SampleRequests.SampleLease late = lease(hours(1, 2), hosts(2, 2));
        SampleRequests.SampleLease other = lease(hours(1, 2), hosts(1, 1));
        Grant earlyHeld = hold(calendar, early);
        Grant lateHeld = hold(calendar, late);
        Grant otherHeld = hold(calendar, other);
        database.together(() -> takeUp(calendar, early, earlyHeld));
        database.together(
                () -> {
                    assertThat(takeUp(calendar, late, lateHeld)).isInstanceOf(Awaited.class);
                    assertThat(takeUp(calendar, other, otherHeld)).isInstanceOf(Awaited.class);
                });
    }

    @Test
    void a_retry_of_a_waiting_start_reads_the_holders_from_the_tables() {
        SampleRequests.SampleLease early = lease(hours(0, 1), hosts(3, 3));
        SampleRequests.SampleLease late = lease(hours(1, 2), hosts(3, 3));
        Grant earlyHeld = hold(calendar, early);
        Grant lateHeld = hold(calendar, late);
        database.together(() -> takeUp(calendar, early, earlyHeld));
        // Memory does not include this change.
        database.command(
                () ->
                        database.anotherNode()
                                .executeAndDecide(
                                        new LetGo(early.reservation(), Set.of()),
                                        grant -> grant,
                                        _ -> true));
        TakeUp first = late.takeUp(lateHeld);
        TakeUp second = new TakeUp(first.lease(), first.project(), first.reservations(), true);
        database.together(() -> assertThat(settle(first)).isInstanceOf(Awaited.class));
        database.together(() -> assertThat(settle(second)).isInstanceOf(TakenUp.class));
    }

    private Grant settle(CalendarRequest<?> request) {
        return calendar.executeAndDecide(request, grant -> grant, _ -> true);
    }

    @Test
    void a_start_fails_if_another_node_has_handed_out_the_hosts() {
        SampleRequests.SampleLease early = lease(hours(0, 1), hosts(3, 3));
        SampleRequests.SampleLease late = lease(hours(1, 2), hosts(3, 3));
        Grant earlyHeld = hold(calendar, early);
        Grant lateHeld = hold(calendar, late);
        StoredCalendar elsewhere = database.anotherNode();
        database.command(() -> takeUp(elsewhere, early, earlyHeld));
        assertThatThrownBy(() -> database.together(() -> takeUp(calendar, late, lateHeld)))
                .isInstanceOf(CalendarContention.class);

        assertThat(database.index.isHeld(new ResourceId(1))).isFalse();
        assertThat(database.command(() -> takeUp(calendar, late, lateHeld)))
                .isInstanceOf(Awaited.class);
    }

    @Test
    void a_start_fails_if_the_hosts_are_released_later_in_the_same_group() {
        SampleRequests.SampleLease early = lease(hours(0, 1), hosts(3, 3));
        SampleRequests.SampleLease late = lease(hours(1, 2), hosts(3, 3));
        Grant earlyHeld = hold(calendar, early);
        Grant lateHeld = hold(calendar, late);
        // Memory does not include this change.
        database.command(() -> takeUp(database.anotherNode(), early, earlyHeld));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            takeUp(calendar, late, lateHeld);
                                            calendar.executeAndDecide(
                                                    new LetGo(early.reservation(), Set.of()),
                                                    grant -> grant,
                                                    _ -> true);
                                        }))
                .isInstanceOf(CalendarContention.class);
    }

    @Test
    void a_hold_fails_if_the_hosts_are_released_later_in_the_same_group() {
        SampleRequests.SampleLease early = lease(hours(0, 2), hosts(3, 3));
        SampleRequests.SampleLease late = lease(hours(1, 3), hosts(3, 3));
        // Memory does not include this change.
        database.command(() -> hold(database.anotherNode(), early));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            hold(calendar, late);
                                            calendar.executeAndDecide(
                                                    new GiveUp(early.id(), hours(0, 1).end()),
                                                    grant -> grant,
                                                    _ -> true);
                                        }))
                .isInstanceOf(CalendarContention.class);
    }

    @Test
    void a_group_does_not_hand_over_a_host_out_of_service() {
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(3, 3));
        Grant held = hold(calendar, lease);
        database.disable(2, "fan");
        assertThatThrownBy(() -> database.together(() -> takeUp(calendar, lease, held)))
                .isInstanceOf(CalendarContention.class);

        assertThat(database.jdbc.queryForList("SELECT FROM holder")).isEmpty();
    }

    @Test
    void successful_starts_end_the_pessimistic_mode() {
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        Grant held = hold(calendar, lease);
        database.contentionMode.recordContention();
        int looks = 0;
        while (database.contentionMode.isPessimistic() && looks < 100) {
            database.together(() -> takeUp(calendar, lease, held));
            looks++;
        }
        assertThat(looks).isBetween(2, 99);
    }

    private Grant takeUp(Calendar at, SampleRequests.SampleLease lease, Grant held) {
        return at.executeAndDecide(lease.takeUp(held), each -> each, _ -> true);
    }

    private Grant hold(SampleRequests.SampleLease lease) {
        Grant grant = calendar.executeAndDecide(lease.hold(), each -> each, _ -> true);
        assertThat(grant).isInstanceOf(Held.class);
        return grant;
    }

    private Grant hold(Calendar at, SampleRequests.SampleLease lease) {
        return database.settle(at, lease.hold());
    }
}
