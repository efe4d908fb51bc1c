package org.leasehold.command.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.Wishes.hosts;
import static org.leasehold.command.calendar.Wishes.hours;
import static org.leasehold.command.calendar.Wishes.lease;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Tenures;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant.Awaited;
import org.leasehold.command.calendar.Grant.Held;
import org.leasehold.command.calendar.Grant.TakenUp;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Tenure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Holds of several commands in one transaction, chosen from memory. */
class CalendarGroupTest {

    private final CalendarDatabase database = new CalendarDatabase().withHosts(3);
    private final Calendar calendar = database.calendar();
    private final CalendarGroup group = Objects.requireNonNull(database.group);

    @BeforeEach
    void knowTheHosts() {
        // The first hold of a node looks, and learns the inventory.
        hold(calendar, lease(hours(90, 91), hosts(1, 1)));
        database.index.complete();
    }

    @Test
    void what_is_held_together_is_claimed_at_the_end_and_no_host_twice() {
        List<Wishes.Some> leases =
                List.of(
                        lease(hours(0, 2), hosts(1, 1)),
                        lease(hours(1, 3), hosts(1, 1)),
                        lease(hours(1, 2), hosts(1, 1)));
        List<Long> held = new ArrayList<>();
        database.together(
                () -> {
                    for (Wishes.Some lease : leases) {
                        Held grant = (Held) hold(lease);
                        held.addAll(
                                Wishes.ids(
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
    void what_memory_cannot_hold_is_decided_by_the_database() {
        assertThatThrownBy(() -> database.together(() -> hold(lease(hours(0, 1), hosts(4, 4)))))
                .isInstanceOf(Postponed.class);
    }

    @Test
    void a_memory_that_is_behind_a_release_makes_no_grant_smaller() {
        Wishes.Some early = lease(hours(0, 1), hosts(2, 2));
        hold(calendar, early);
        database.index.put(early.id(), early.reservation(), database.claims(early.reservation()));
        // Memory does not know of it.
        giveUp(early);
        Wishes.Some late = lease(hours(0, 1), hosts(1, 3));
        assertThatThrownBy(() -> database.together(() -> hold(late))).isInstanceOf(Postponed.class);

        assertThat(granted(late, hold(calendar, late))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void what_is_released_between_the_look_and_the_claim_is_granted_as_well() {
        Wishes.Some early = lease(hours(0, 1), hosts(2, 2));
        hold(calendar, early);
        Wishes.Some late = lease(hours(0, 1), hosts(1, 3));
        Deque<Runnable> meanwhile = new ArrayDeque<>();
        Calendar overtaken = database.overtaken(meanwhile);
        // The first hold of a node looks once more, because it does not know the inventory.
        hold(overtaken, lease(hours(91, 92), hosts(1, 1)));
        meanwhile.add(() -> giveUp(early));
        assertThat(granted(late, hold(overtaken, late))).containsExactly(1L, 2L, 3L);
        assertThat(meanwhile).isEmpty();
    }

    @Test
    void nothing_is_stored_between_a_smaller_grant_and_its_position() {
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
    void a_rehearsal_of_a_smaller_grant_keeps_nobody_from_appending() {
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
    void a_group_that_looks_first_leaves_a_smaller_grant_to_be_decided_alone() {
        database.wariness.wasOutrun();
        Wishes.Some more = lease(hours(0, 1), hosts(1, 4));
        Wishes.Some other = lease(hours(0, 1), hosts(3, 3));
        database.together(
                () -> {
                    assertThatThrownBy(() -> hold(more)).isInstanceOf(Postponed.class);
                    hold(other);
                });
        assertThat(database.claims(more.reservation())).isEmpty();
        assertThat(database.claims(other.reservation())).hasSize(3);
    }

    private List<Long> granted(Wishes.Some lease, Grant grant) {
        return Wishes.ids(
                Objects.requireNonNull(((Held) grant).allocations().get(lease.reservation())));
    }

    /** As another node does it. */
    private void giveUp(Wishes.Some lease) {
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
    void memory_that_is_wrong_fails_the_group_and_nothing_is_kept() {
        Wishes.Some theirs = lease(hours(0, 1), hosts(3, 3));
        // Another node, whose memory is its own.
        hold(database.anotherNode(), theirs);
        Wishes.Some mine = lease(hours(5, 6), hosts(1, 1));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            hold(mine);
                                            hold(lease(hours(0, 1), hosts(1, 1)));
                                        }))
                .isInstanceOf(CalendarContention.class);

        assertThat(database.claims(mine.reservation())).isEmpty();
        assertThat(database.index.isFree(new ResourceId(1), hours(5, 6))).isTrue();
        // From now on it looks first, for a while.
        assertThatThrownBy(() -> database.together(() -> hold(lease(hours(0, 1), hosts(1, 1)))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("TooFew");
    }

    @Test
    void a_decision_that_is_not_kept_takes_nothing() {
        Wishes.Some lease = lease(hours(0, 1), hosts(3, 3));
        database.together(
                () -> {
                    calendar.settle(lease.hold(), grant -> grant, _ -> false);
                    assertThat(hold(lease(hours(0, 1), hosts(3, 3)))).isInstanceOf(Held.class);
                });

        assertThat(database.claims(lease.reservation())).isEmpty();
    }

    @Test
    void what_starts_together_is_taken_up_at_the_end() {
        List<Wishes.Some> leases =
                List.of(lease(hours(0, 1), hosts(1, 1)), lease(hours(0, 1), hosts(2, 2)));
        List<Grant> held = leases.stream().map(lease -> hold(calendar, lease)).toList();
        List<Tenure> tenures = new ArrayList<>();
        database.together(
                () -> {
                    for (int i = 0; i < leases.size(); i++) {
                        Grant grant = takeUp(calendar, leases.get(i), held.get(i));
                        tenures.addAll(((TakenUp) grant).tenures());
                    }
                    assertThat(tenures).noneMatch(((Tenures) calendar)::isCurrent);
                });

        assertThat(tenures)
                .extracting(Tenure::reservation)
                .containsExactly(leases.get(0).reservation(), leases.get(1).reservation());
        assertThat(tenures).allMatch(((Tenures) calendar)::isCurrent);
        assertThat(tenures.get(0).generation()).isNotEqualTo(tenures.get(1).generation());
    }

    @Test
    void what_joins_a_running_lease_that_had_nothing_takes_up_what_it_gets() {
        Wishes.Some lease = lease(hours(0, 1), hosts(2, 2));
        CalendarRequest joining = lease.change(hours(0, 1), hosts(2, 2), List.of(), true);
        List<Tenure> tenures = new ArrayList<>();
        database.together(
                () ->
                        tenures.addAll(
                                ((Held) calendar.settle(joining, grant -> grant, _ -> true))
                                        .tenures()));

        assertThat(tenures).extracting(Tenure::reservation).containsExactly(lease.reservation());
        assertThat(tenures).allMatch(((Tenures) calendar)::isCurrent);
    }

    @Test
    void who_has_to_wait_for_a_predecessor_is_told_so_and_holds_nobody_up() {
        Wishes.Some early = lease(hours(0, 1), hosts(3, 3));
        Wishes.Some late = lease(hours(1, 2), hosts(2, 2));
        Wishes.Some other = lease(hours(1, 2), hosts(1, 1));
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
    void memory_says_once_that_a_predecessor_has_not_let_go_and_the_tables_from_then_on() {
        Wishes.Some early = lease(hours(0, 1), hosts(3, 3));
        Wishes.Some late = lease(hours(1, 2), hosts(3, 3));
        Grant earlyHeld = hold(calendar, early);
        Grant lateHeld = hold(calendar, late);
        database.together(() -> takeUp(calendar, early, earlyHeld));
        // Memory does not know of it.
        database.command(
                () ->
                        database.anotherNode()
                                .settle(
                                        new LetGo(early.reservation(), Set.of()),
                                        grant -> grant,
                                        _ -> true));
        TakeUp first = late.takeUp(lateHeld);
        TakeUp second = new TakeUp(first.lease(), first.project(), first.reservations(), true);
        database.together(() -> assertThat(settle(first)).isInstanceOf(Awaited.class));
        database.together(() -> assertThat(settle(second)).isInstanceOf(TakenUp.class));
    }

    private Grant settle(CalendarRequest request) {
        return calendar.settle(request, grant -> grant, _ -> true);
    }

    @Test
    void nobody_takes_up_what_another_node_has_given_to_somebody_else() {
        Wishes.Some early = lease(hours(0, 1), hosts(3, 3));
        Wishes.Some late = lease(hours(1, 2), hosts(3, 3));
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
    void nobody_takes_up_what_is_let_go_after_him_in_the_same_group() {
        Wishes.Some early = lease(hours(0, 1), hosts(3, 3));
        Wishes.Some late = lease(hours(1, 2), hosts(3, 3));
        Grant earlyHeld = hold(calendar, early);
        Grant lateHeld = hold(calendar, late);
        // Memory does not know of it.
        database.command(() -> takeUp(database.anotherNode(), early, earlyHeld));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            takeUp(calendar, late, lateHeld);
                                            calendar.settle(
                                                    new LetGo(early.reservation(), Set.of()),
                                                    grant -> grant,
                                                    _ -> true);
                                        }))
                .isInstanceOf(CalendarContention.class);
    }

    @Test
    void nobody_is_granted_what_is_given_up_after_him_in_the_same_group() {
        Wishes.Some early = lease(hours(0, 2), hosts(3, 3));
        Wishes.Some late = lease(hours(1, 3), hosts(3, 3));
        // Memory does not know of it.
        database.command(() -> hold(database.anotherNode(), early));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            hold(calendar, late);
                                            calendar.settle(
                                                    new GiveUp(early.id(), hours(0, 1).end()),
                                                    grant -> grant,
                                                    _ -> true);
                                        }))
                .isInstanceOf(CalendarContention.class);
    }

    @Test
    void a_host_that_went_out_of_service_is_not_taken_up_by_a_group() {
        Wishes.Some lease = lease(hours(0, 1), hosts(3, 3));
        Grant held = hold(calendar, lease);
        database.disable(2, "fan");
        assertThatThrownBy(() -> database.together(() -> takeUp(calendar, lease, held)))
                .isInstanceOf(CalendarContention.class);

        assertThat(database.jdbc.queryForList("SELECT FROM holder")).isEmpty();
    }

    @Test
    void whoever_only_starts_leases_stops_looking_first_after_a_while_as_well() {
        Wishes.Some lease = lease(hours(0, 1), hosts(1, 1));
        Grant held = hold(calendar, lease);
        database.wariness.wasOutrun();
        int looks = 0;
        while (database.wariness.isWary() && looks < 100) {
            database.together(() -> takeUp(calendar, lease, held));
            looks++;
        }
        assertThat(looks).isBetween(2, 99);
    }

    private Grant takeUp(Calendar at, Wishes.Some lease, Grant held) {
        return at.settle(lease.takeUp(held), each -> each, _ -> true);
    }

    private Grant hold(Wishes.Some lease) {
        Grant grant = calendar.settle(lease.hold(), each -> each, _ -> true);
        assertThat(grant).isInstanceOf(Held.class);
        return grant;
    }

    private Grant hold(Calendar at, Wishes.Some lease) {
        return database.settle(at, lease.hold());
    }
}
