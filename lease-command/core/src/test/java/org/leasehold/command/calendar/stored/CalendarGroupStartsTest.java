package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.GiveUp;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.TakeUp;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Awaited;
import org.leasehold.command.calendar.Grant.Held;
import org.leasehold.command.calendar.Grant.TakenUp;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Tenure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Tests starts of leases in a group, and hand-overs of resources within it. */
class CalendarGroupStartsTest extends CalendarGroupFixture {

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
                                                    new GiveUp(
                                                            early.id(),
                                                            early.reservations(),
                                                            hours(0, 1).end()),
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
}
