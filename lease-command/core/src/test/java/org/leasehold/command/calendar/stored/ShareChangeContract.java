package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.calendar.Demand.Spread.APART;
import static org.leasehold.calendar.Demand.Spread.TOGETHER;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Share;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules for changes of shares, and of the hosts that have them, in every calendar. */
abstract class ShareChangeContract extends ShareFixture {

    @Test
    void a_planned_change_reuses_the_slots_of_the_lease() {
        world.withHosts(2);
        held(lease(hours(0, 9), slots(3, 16)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(4, 16));
        assertThat(held(lease)).isEqualTo(Map.of(1L, 1, 2L, 3));
        Grant.Held smaller =
                (Grant.Held)
                        settle(lease.change(hours(0, 2), slots(2, 32), List.of(1L, 2L), false));
        assertThat(slots(smaller.allocations().get(lease.reservation()))).isEqualTo(Map.of(2L, 2));
        assertThat(settle(lease.change(hours(0, 2), slots(3, 32), List.of(2L), false)))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(world.claims(lease.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(2), hours(0, 2), new Share(2, Map.of("VCPU", 32L))));
    }

    @Test
    void a_running_reservation_grows_on_the_same_and_other_hosts_but_stays() {
        world.withHosts(2);
        held(lease(hours(0, 1), slots(1, 32)));
        held(lease(hours(1, 2), slots(2, 32)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(1, 16));
        Grant.TakenUp started = (Grant.TakenUp) settle(lease.takeUp(settle(lease.hold())));

        assertThat(settle(lease.change(hours(0, 2), slots(1, 16), List.of(1L), true)))
                .isInstanceOf(Grant.HoldRefused.class);
        Grant.Held grown =
                (Grant.Held) settle(lease.change(hours(0, 1), slots(3, 16), List.of(1L), true));

        assertThat(slots(grown.allocations().get(lease.reservation())))
                .isEqualTo(Map.of(1L, 2, 2L, 1));
        assertThat(world.isCurrent(started.tenures().getFirst())).isFalse();
        assertThat(world.isCurrent(grown.tenures().getFirst())).isTrue();
        assertThat(world.holders()).containsExactly(1L, 2L);
        Grant.Held same =
                (Grant.Held) settle(lease.change(hours(0, 1), slots(3, 16), List.of(1L, 2L), true));
        assertThat(same.tenures()).isEmpty();
    }

    @Test
    void more_slots_on_the_same_host_get_a_new_tenure() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(1, 16, TOGETHER));
        settle(lease.takeUp(settle(lease.hold())));
        Grant.Held grown =
                (Grant.Held)
                        settle(
                                lease.change(
                                        hours(0, 1), slots(4, 16, TOGETHER), List.of(1L), true));
        assertThat(slots(grown.allocations().get(lease.reservation()))).isEqualTo(Map.of(1L, 4));
        assertThat(grown.tenures()).hasSize(1);
        assertThat(settle(lease.change(hours(0, 1), slots(5, 16, TOGETHER), List.of(1L), true)))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void a_release_of_a_slot_keeps_the_other_holders_of_the_host() {
        world.withHosts(1);
        SampleRequests.SampleLease one = lease(hours(0, 1), slots(1, 16));
        SampleRequests.SampleLease other = lease(hours(0, 1), slots(1, 16));
        Grant.TakenUp first = (Grant.TakenUp) settle(one.takeUp(settle(one.hold())));
        Grant.TakenUp second = (Grant.TakenUp) settle(other.takeUp(settle(other.hold())));
        assertThat(world.holders()).containsExactly(1L, 1L);
        settle(new LetGo(one.reservation(), Set.of()));
        assertThat(world.isCurrent(first.tenures().getFirst())).isFalse();
        assertThat(world.isCurrent(second.tenures().getFirst())).isTrue();
        assertThat(world.holders()).containsExactly(1L);
    }

    @Test
    void a_whole_host_reservation_waits_for_all_holders_of_slots() {
        world.withHosts(1);
        SampleRequests.SampleLease one = lease(hours(0, 1), slots(1, 16));
        SampleRequests.SampleLease other = lease(hours(0, 1), slots(1, 16));
        settle(one.takeUp(settle(one.hold())));
        settle(other.takeUp(settle(other.hold())));
        SampleRequests.SampleLease whole = lease(hours(1, 2), hosts(1, 1));
        Grant held = settle(whole.hold());
        assertThat(((Grant.Awaited) settle(whole.takeUp(held))).holders())
                .containsExactlyInAnyOrder(one.reservation(), other.reservation());
        settle(new LetGo(one.reservation(), Set.of()));
        assertThat(((Grant.Awaited) settle(whole.takeUp(held))).holders())
                .containsExactly(other.reservation());
        settle(new LetGo(other.reservation(), Set.of()));
        assertThat(settle(whole.takeUp(held))).isInstanceOf(Grant.TakenUp.class);
    }

    @Test
    void a_slot_reservation_waits_for_a_held_host_or_gets_another_host() {
        world.withHosts(2);
        SampleRequests.SampleLease whole = lease(hours(0, 1), hosts(1, 1));
        settle(whole.takeUp(settle(whole.hold())));
        SampleRequests.SampleLease everywhere = lease(hours(1, 2), slots(2, 64, APART));
        assertThat(((Grant.Awaited) settle(everywhere.takeUp(settle(everywhere.hold())))).holders())
                .containsExactly(whole.reservation());
        settle(new Shorten(everywhere.id(), everywhere.reservations(), hours(1, 2).start()));

        SampleRequests.SampleLease share = lease(hours(1, 2), slots(2, 16));
        Grant.TakenUp taken = (Grant.TakenUp) settle(share.takeUp(settle(share.hold())));

        assertThat(taken.replacements().getFirst().by().slots()).isEqualTo(2);
        assertThat(world.claims(share.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(2), hours(1, 2), new Share(2, Map.of("VCPU", 16L))));
    }

    @Test
    void all_slots_of_a_share_move_together_from_a_host_out_of_service() {
        world.withHosts(3);
        held(lease(hours(0, 1), slots(1, 40)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(2, 12));
        Grant held = settle(lease.hold());
        held(lease(hours(0, 1), slots(1, 60)));
        world.disable(1, "smoke");
        Grant.TakenUp taken = (Grant.TakenUp) settle(lease.takeUp(held));
        assertThat(taken.replacements().getFirst().by().resource()).isEqualTo(new ResourceId(3));
        assertThat(world.claims(lease.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(3), hours(0, 1), new Share(2, Map.of("VCPU", 12L))));
    }

    @Test
    void a_share_on_a_host_out_of_service_may_end_earlier_but_not_grow() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 2), slots(1, 16));
        settle(lease.takeUp(settle(lease.hold())));
        world.disable(1, "smoke");
        assertThat(settle(lease.change(hours(0, 1), slots(1, 16), List.of(1L), true)))
                .isInstanceOf(Grant.Held.class);
        assertThat(settle(lease.change(hours(0, 1), slots(2, 16), List.of(1L), true)))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(settle(lease.change(hours(0, 3), slots(1, 16), List.of(1L), true)))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void a_reduced_host_keeps_granted_slots_and_grants_none_beyond_capacity() {
        world.withHosts(2);
        SampleRequests.SampleLease running = lease(hours(0, 2), slots(2, 16));
        settle(running.takeUp(settle(running.hold())));
        held(lease(hours(1, 2), slots(2, 16)));
        world.describe(1, Map.of("vcpus", "40", "memory_mb", "65536"));

        assertThat(held(lease(hours(0, 1), slots(1, 8)))).isEqualTo(Map.of(1L, 1));
        assertThat(held(lease(hours(1, 2), slots(1, 1)))).isEqualTo(Map.of(2L, 1));
        assertThat(world.claims(running.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(1), hours(0, 2), new Share(2, Map.of("VCPU", 16L))));
        Grant.Held grown =
                (Grant.Held) settle(running.change(hours(0, 2), slots(3, 16), List.of(1L), true));
        assertThat(slots(grown.allocations().get(running.reservation())))
                .isEqualTo(Map.of(1L, 2, 2L, 1));
        assertThat(settle(running.change(hours(0, 1), slots(3, 16), List.of(1L, 2L), true)))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void an_enlarged_host_grants_slots_up_to_the_new_capacity() {
        world.withHosts(1);
        held(lease(hours(0, 1), slots(4, 16)));
        assertThat(settle(lease(hours(0, 1), slots(1, 16)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
        world.describe(1, Map.of("vcpus", "80"));
        assertThat(held(lease(hours(0, 1), slots(1, 16)))).isEqualTo(Map.of(1L, 1));
        assertThat(settle(lease(hours(0, 1), slots(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void an_adjustment_of_a_running_reservation_renews_the_tenure() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(1, 30));
        Grant held = settle(lease.hold());
        Grant.TakenUp takenUp = (Grant.TakenUp) settle(lease.takeUp(held));

        Grant kept = settle(again(lease, false));
        assertThat(((Grant.Held) kept).tenures()).isEmpty();
        Grant adjusting = settle(again(lease, true));
        assertThat(((Grant.Held) adjusting).tenures())
                .singleElement()
                .satisfies(tenure -> assertThat(world.isCurrent(tenure)).isTrue());
        assertThat(world.isCurrent(takenUp.tenures().getFirst())).isFalse();
    }

    /** Returns the same request of a running reservation on host 1. */
    private static CalendarRequest<?> again(SampleRequests.SampleLease lease, boolean adjusts) {
        return new CalendarRequest.Hold(
                lease.id(),
                SampleRequests.PROJECT,
                List.of(
                        new CalendarRequest.Wanted(
                                lease.reservation(),
                                lease.demands().getFirst(),
                                lease.period(),
                                List.of(new ResourceId(1)),
                                true,
                                adjusts)));
    }
}
