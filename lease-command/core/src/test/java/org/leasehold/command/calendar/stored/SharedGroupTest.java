package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Held;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline;
import org.leasehold.inventory.ResourceId;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A group of commands places slots on shared hosts from memory. Each of three hosts has 64 cores.
 */
class SharedGroupTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture().withHosts(3);
    private final Calendar calendar = database.calendar();

    @BeforeEach
    void fillMemory() {
        database.loadMemory(calendar);
    }

    @Test
    void slots_are_claimed_at_the_end_of_the_group() {
        SampleRequests.SampleLease first = lease(hours(0, 2), slots(4, 8));
        SampleRequests.SampleLease second = lease(hours(1, 3), slots(4, 8));
        SampleRequests.SampleLease third = lease(hours(1, 2), slots(9, 8));
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
    void slots_and_whole_hosts_get_different_hosts() {
        SampleRequests.SampleLease whole = lease(hours(0, 2), hosts(1, 1));
        SampleRequests.SampleLease shares = lease(hours(1, 3), slots(1, 8));
        SampleRequests.SampleLease rest = lease(hours(2, 3), hosts(2, 2));
        database.together(
                () -> {
                    hold(whole);
                    assertThat(placed(shares)).isEqualTo(Map.of(2L, 1));
                    hold(rest);
                });

        assertThat(database.claims(rest.reservation()))
                .extracting(FreeResourceTimeline.Claim::resource)
                .containsExactlyInAnyOrder(new ResourceId(1), new ResourceId(3));
    }

    @Test
    void each_demand_of_a_lease_reduces_the_capacity_for_the_next() {
        SampleRequests.SampleLease lease =
                lease(hours(0, 1), slots(5, 8), slots(5, 8), hosts(1, 1));
        database.together(() -> hold(lease));

        assertThat(database.claims("WHERE upper(during) < '2030-01-03'")).hasSize(4);
        database.together(
                () -> assertThat(placed(lease(hours(0, 1), slots(6, 8)))).isEqualTo(Map.of(2L, 6)));
    }

    @Test
    void slots_that_memory_cannot_grant_are_decided_alone() {
        assertThatThrownBy(() -> database.together(() -> hold(lease(hours(0, 1), slots(4, 64)))))
                .isInstanceOf(DecideAloneException.class);
    }

    @Test
    void claims_of_another_node_fail_a_group_and_roll_back_all_slots() {
        // Memory does not include this change.
        database.settle(database.anotherNode(), lease(hours(0, 1), slots(24, 8)).hold());
        SampleRequests.SampleLease ownLease = lease(hours(5, 6), slots(1, 8));
        assertThatThrownBy(
                        () ->
                                database.together(
                                        () -> {
                                            hold(ownLease);
                                            hold(lease(hours(0, 1), slots(1, 8)));
                                        }))
                .isInstanceOf(CalendarContention.class);

        assertThat(database.claims(ownLease.reservation())).isEmpty();
        assertThat(database.index.claims(new ResourceId(1), Set.of(hours(5, 6)))).isEmpty();
        assertThat(database.contentionMode.isPessimistic()).isTrue();
    }

    @Test
    void a_discarded_decision_leaves_the_slots_free() {
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(24, 8));
        database.together(
                () -> {
                    calendar.executeAndDecide(lease.hold(), grant -> grant, _ -> false);
                    hold(lease(hours(0, 1), slots(24, 8)));
                });

        assertThat(database.claims(lease.reservation())).isEmpty();
    }

    private Map<Long, Integer> placed(SampleRequests.SampleLease lease) {
        return SampleRequests.slots(
                Objects.requireNonNull(hold(lease).allocations().get(lease.reservation())));
    }

    private Held hold(SampleRequests.SampleLease lease) {
        Grant grant = calendar.executeAndDecide(lease.hold(), each -> each, _ -> true);
        assertThat(grant).isInstanceOf(Held.class);
        return (Held) grant;
    }
}
