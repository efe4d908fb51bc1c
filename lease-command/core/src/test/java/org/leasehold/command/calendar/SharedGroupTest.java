package org.leasehold.command.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.Wishes.hosts;
import static org.leasehold.command.calendar.Wishes.hours;
import static org.leasehold.command.calendar.Wishes.lease;
import static org.leasehold.command.calendar.Wishes.slots;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Grant.Held;
import org.leasehold.inventory.ResourceId;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A group of commands places slots on shared hosts from memory. Each of three hosts has 64 cores.
 */
class SharedGroupTest {

    private final CalendarDatabase database = new CalendarDatabase().withHosts(3);
    private final Calendar calendar = database.calendar();

    @BeforeEach
    void fillMemory() {
        // The first hold of a node loads the inventory.
        database.settle(calendar, lease(hours(90, 91), hosts(1, 1)).hold());
        database.index.complete();
    }

    @Test
    void slots_are_claimed_at_the_end_of_the_group() {
        Wishes.Some first = lease(hours(0, 2), slots(4, 8));
        Wishes.Some second = lease(hours(1, 3), slots(4, 8));
        Wishes.Some third = lease(hours(1, 2), slots(9, 8));
        database.together(
                () -> {
                    assertThat(placed(first)).isEqualTo(Map.of(1L, 4));
                    assertThat(placed(second)).isEqualTo(Map.of(1L, 4));
                    assertThat(placed(third)).isEqualTo(Map.of(2L, 8, 3L, 1));
                    assertThat(database.claims(first.reservation())).isEmpty();
                });

        assertThat(database.claims(first.reservation())).hasSize(1);
        assertThat(database.claims(second.reservation())).hasSize(1);
        assertThat(database.claims(third.reservation())).hasSize(2);
    }

    @Test
    void slots_and_whole_hosts_avoid_each_other() {
        Wishes.Some whole = lease(hours(0, 2), hosts(1, 1));
        Wishes.Some shares = lease(hours(1, 3), slots(1, 8));
        Wishes.Some rest = lease(hours(2, 3), hosts(2, 2));
        database.together(
                () -> {
                    hold(whole);
                    assertThat(placed(shares)).isEqualTo(Map.of(2L, 1));
                    hold(rest);
                });

        assertThat(database.claims(rest.reservation()))
                .extracting(FreeTime.Claim::resource)
                .containsExactlyInAnyOrder(new ResourceId(1), new ResourceId(3));
    }

    @Test
    void each_demand_of_a_lease_counts_for_the_next() {
        Wishes.Some lease = lease(hours(0, 1), slots(5, 8), slots(5, 8), hosts(1, 1));
        database.together(() -> hold(lease));

        assertThat(database.claims("WHERE upper(during) < '2030-01-03'")).hasSize(4);
        database.together(
                () -> assertThat(placed(lease(hours(0, 1), slots(6, 8)))).isEqualTo(Map.of(2L, 6)));
    }

    @Test
    void slots_that_memory_has_no_room_for_are_decided_by_the_database() {
        assertThatThrownBy(() -> database.together(() -> hold(lease(hours(0, 1), slots(4, 64)))))
                .isInstanceOf(Postponed.class);
    }

    @Test
    void slots_that_another_node_has_claimed_fail_the_group_and_nothing_is_kept() {
        // Memory does not know of it.
        database.settle(database.anotherNode(), lease(hours(0, 1), slots(24, 8)).hold());
        Wishes.Some mine = lease(hours(5, 6), slots(1, 8));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            hold(mine);
                                            hold(lease(hours(0, 1), slots(1, 8)));
                                        }))
                .isInstanceOf(CalendarContention.class);

        assertThat(database.claims(mine.reservation())).isEmpty();
        assertThat(database.index.claims(new ResourceId(1), Set.of(hours(5, 6)))).isEmpty();
        assertThat(database.wariness.isWary()).isTrue();
    }

    @Test
    void a_decision_that_is_not_kept_leaves_its_slots_to_others() {
        Wishes.Some lease = lease(hours(0, 1), slots(24, 8));
        database.together(
                () -> {
                    calendar.settle(lease.hold(), grant -> grant, _ -> false);
                    hold(lease(hours(0, 1), slots(24, 8)));
                });

        assertThat(database.claims(lease.reservation())).isEmpty();
    }

    private Map<Long, Integer> placed(Wishes.Some lease) {
        return Wishes.slots(
                Objects.requireNonNull(hold(lease).allocations().get(lease.reservation())));
    }

    private Held hold(Wishes.Some lease) {
        Grant grant = calendar.settle(lease.hold(), each -> each, _ -> true);
        assertThat(grant).isInstanceOf(Held.class);
        return (Held) grant;
    }
}
