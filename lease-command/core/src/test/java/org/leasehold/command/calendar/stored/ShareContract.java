package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.calendar.Demand.Spread.APART;
import static org.leasehold.calendar.Demand.Spread.TOGETHER;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;
import static org.leasehold.inventory.Requirement.Operator.AT_LEAST;
import static org.leasehold.inventory.Requirement.Operator.AT_MOST;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules for shares of resources in every calendar; the hosts of these tests have 64 cores. */
abstract class ShareContract {

    private final CalendarFixture world = world();
    private final Calendar calendar = world.calendar(Duration.ZERO);

    abstract CalendarFixture world();

    @Test
    void slots_fill_a_host_up_to_the_capacity() {
        world.withHosts(1);
        assertThat(held(lease(hours(0, 2), slots(7, 8)))).isEqualTo(Map.of(1L, 7));
        assertThat(settle(lease(hours(1, 3), slots(2, 8)).hold())).isInstanceOf(Grant.TooFew.class);
        assertThat(held(lease(hours(1, 3), slots(1, 8)))).isEqualTo(Map.of(1L, 1));
        assertThat(settle(lease(hours(1, 2), slots(1, 1)).hold())).isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void each_resource_class_limits_the_slots_of_a_host() {
        world.withHosts(1);
        assertThat(held(lease(hours(0, 1), needing(2, Map.of("VCPU", 1L, "MEMORY_MB", 30_000L)))))
                .isEqualTo(Map.of(1L, 2));
        assertThat(settle(lease(hours(0, 1), needing(1, Map.of("MEMORY_MB", 10_000L))).hold()))
                .isInstanceOf(Grant.TooFew.class);
        assertThat(settle(lease(hours(0, 1), needing(1, Map.of("CUSTOM_GPU", 1L))).hold()))
                .isInstanceOf(Grant.TooFew.class);
        world.enrol(2, Map.of("CUSTOM_GPU", "4"));
        assertThat(held(lease(hours(0, 1), needing(3, Map.of("CUSTOM_GPU", 1L)))))
                .isEqualTo(Map.of(2L, 3));
        assertThat(held(lease(hours(0, 1), needing(1, Map.of("DISK_GB", 0L)))))
                .isEqualTo(Map.of(1L, 1));
    }

    @Test
    void slots_of_disjoint_windows_do_not_add_up() {
        world.withHosts(1);
        held(lease(hours(0, 1), slots(1, 40)));
        held(lease(hours(1, 2), slots(1, 40)));
        assertThat(held(lease(hours(0, 2), slots(1, 24)))).isEqualTo(Map.of(1L, 1));
        assertThat(settle(lease(hours(0, 2), slots(1, 1)).hold())).isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void adjacent_windows_may_each_fill_a_host() {
        world.withHosts(1);
        assertThat(held(lease(hours(0, 1), slots(8, 8)))).isEqualTo(Map.of(1L, 8));
        assertThat(held(lease(hours(1, 2), slots(8, 8)))).isEqualTo(Map.of(1L, 8));
        assertThat(held(lease(hours(2, 3), hosts(1, 1)))).isEqualTo(Map.of(1L, 1));
        assertThat(held(lease(hours(3, 4), slots(8, 8)))).isEqualTo(Map.of(1L, 8));
    }

    @Test
    void a_whole_host_and_a_share_of_it_exclude_each_other() {
        world.withHosts(2);
        held(lease(hours(0, 2), hosts(1, 1)));
        assertThat(held(lease(hours(1, 3), slots(2, 8)))).isEqualTo(Map.of(2L, 2));
        assertThat(settle(lease(hours(1, 2), hosts(1, 1)).hold())).isInstanceOf(Grant.TooFew.class);
        assertThat(held(lease(hours(2, 3), hosts(1, 1)))).isEqualTo(Map.of(1L, 1));
    }

    @Test
    void partly_used_hosts_are_filled_before_empty_hosts() {
        world.withHosts(3);
        SampleRequests.SampleLease whole = lease(hours(0, 1), hosts(2, 2));
        held(whole);
        held(lease(hours(0, 1), slots(1, 32)));
        settle(new Shorten(whole.id(), hours(0, 1).start()));
        assertThat(held(lease(hours(0, 1), slots(3, 32))))
                .isEqualTo(Map.of(3L, 1, 1L, 2))
                .doesNotContainKey(2L);
    }

    @Test
    void slots_follow_the_requested_spread() {
        world.withHosts(3);
        held(lease(hours(0, 1), slots(1, 40)));
        assertThat(held(lease(hours(0, 1), slots(2, 24, TOGETHER)))).isEqualTo(Map.of(2L, 2));
        assertThat(held(lease(hours(0, 1), slots(2, 10, APART)))).isEqualTo(Map.of(1L, 1, 2L, 1));
        assertThat(settle(lease(hours(0, 1), slots(4, 1, APART)).hold()))
                .isInstanceOf(Grant.TooFew.class);
        assertThat(settle(lease(hours(0, 1), slots(2, 33, TOGETHER)).hold()))
                .isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void the_cleaning_time_separates_two_leases_of_a_shared_host() {
        world.withHosts(1);
        Calendar cleaning = world.calendar(Duration.ofMinutes(30));
        SampleRequests.SampleLease first = lease(hours(0, 1), slots(8, 8));
        world.settle(cleaning, first.hold());
        assertThat(world.claims(first.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(1),
                                new LeasePeriod(NOON, NOON.plus(Duration.ofMinutes(90))),
                                new Share(8, Map.of("VCPU", 8L))));
        assertThat(world.settle(cleaning, lease(hours(1, 2), slots(1, 1)).hold()))
                .isInstanceOf(Grant.TooFew.class);
        assertThat(world.settle(cleaning, lease(hours(2, 3), slots(8, 8)).hold()))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_share_relies_on_the_capacities_that_it_requests() {
        world.withHosts(1);
        SampleRequests.SampleLease lease =
                lease(hours(0, 1), needing(1, Map.of("VCPU", 1L, "CUSTOM_GPU", 0L)));
        held(lease);
        assertThat(world.reliesOn(lease.reservation())).containsExactly("CUSTOM_GPU", "vcpus");
    }

    @Test
    void a_shortage_is_counted_in_slots_and_names_the_next_start() {
        world.withHosts(2);
        held(lease(hours(0, 2), slots(5, 16)));
        held(lease(hours(1, 4), slots(2, 16)));
        world.happen();
        SampleRequests.SampleLease lease = lease(hours(0, 3), slots(4, 16));
        assertThat(settle(lease.hold()))
                .isEqualTo(
                        new Grant.TooFew(
                                List.of(
                                        new Shortage(
                                                lease.reservation(),
                                                ResourceKind.PHYSICAL_HOST,
                                                4,
                                                8,
                                                1,
                                                hours(1, 2),
                                                1,
                                                hours(2, 3).start())),
                                1));
        assertThat(world.claims(lease.reservation())).isEmpty();
    }

    @Test
    void reservations_of_one_lease_share_a_host_but_no_slot_and_no_whole_host() {
        world.withHosts(2);
        SampleRequests.SampleLease lease =
                lease(hours(0, 1), slots(2, 16), hosts(1, 2), slots(2, 16));
        Grant.Held held = (Grant.Held) settle(lease.hold());
        assertThat(slots(held.allocations().get(lease.reservations().get(0))))
                .isEqualTo(Map.of(1L, 2));
        assertThat(slots(held.allocations().get(lease.reservations().get(1))))
                .isEqualTo(Map.of(2L, 1));
        assertThat(slots(held.allocations().get(lease.reservations().get(2))))
                .isEqualTo(Map.of(1L, 2));
        assertThat(settle(lease(hours(0, 1), slots(1, 1)).hold())).isInstanceOf(Grant.TooFew.class);
    }

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
                .isInstanceOf(Grant.TooFew.class);
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
                .isInstanceOf(Grant.TooFew.class);
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
                .isInstanceOf(Grant.TooFew.class);
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
        settle(new Shorten(everywhere.id(), hours(1, 2).start()));

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
                .isInstanceOf(Grant.TooFew.class);
        assertThat(settle(lease.change(hours(0, 3), slots(1, 16), List.of(1L), true)))
                .isInstanceOf(Grant.TooFew.class);
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
                .isInstanceOf(Grant.TooFew.class);
        world.describe(1, Map.of("vcpus", "80"));
        assertThat(held(lease(hours(0, 1), slots(1, 16)))).isEqualTo(Map.of(1L, 1));
        assertThat(settle(lease(hours(0, 1), slots(1, 1)).hold())).isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void a_requirement_may_compare_the_free_capacity_within_the_window() {
        world.withHosts(2);
        held(lease(hours(1, 2), slots(1, 40)));
        Requirement roomy = left(AT_LEAST, 32);

        assertThat(held(lease(hours(0, 1), where(1, roomy)))).isEqualTo(Map.of(1L, 1));
        assertThat(held(lease(hours(0, 2), where(1, roomy)))).isEqualTo(Map.of(2L, 1));
        held(lease(hours(2, 3), slots(1, 40)));
        held(lease(hours(2, 3), slots(1, 40)));
        assertThat(settle(lease(hours(1, 3), where(1, roomy)).hold()))
                .isInstanceOf(Grant.TooFew.class);
        assertThat(held(lease(hours(1, 3), slots(1, 1)))).hasSize(1);
    }

    @Test
    void a_requirement_may_ask_for_hosts_that_are_nearly_full() {
        world.withHosts(2);
        held(lease(hours(0, 1), slots(1, 60)));
        Requirement full = left(AT_MOST, 8);

        assertThat(held(lease(hours(0, 1), where(2, full)))).isEqualTo(Map.of(1L, 1));
        assertThat(settle(lease(hours(1, 2), where(2, full)).hold()))
                .isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void a_refusal_for_a_nearly_full_host_names_the_start_of_the_next_use() {
        world.withHosts(1);
        held(lease(hours(2, 4), slots(1, 60)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), where(1, left(AT_MOST, 8)));

        Grant.TooFew refusal = (Grant.TooFew) settle(lease.hold());

        // The window is one hour; its last microsecond must touch the claim.
        assertThat(refusal.shortages().getFirst().nextStart())
                .isEqualTo(hours(1, 2).start().plusNanos(1_000));
    }

    @Test
    void a_refusal_for_free_capacity_names_the_next_start() {
        world.withHosts(1);
        held(lease(hours(0, 2), slots(1, 40)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), where(1, left(AT_LEAST, 32)));

        Grant.TooFew refusal = (Grant.TooFew) settle(lease.hold());

        assertThat(refusal.shortages().getFirst().nextStart()).isEqualTo(hours(2, 3).start());
    }

    @Test
    void a_whole_host_reservation_relies_on_the_free_capacity_it_compares() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1, left(AT_LEAST, 64)));
        held(lease);

        assertThat(world.reliesOn(lease.reservation()))
                .containsExactlyInAnyOrder("free_vcpus", "vcpus");
        assertThat(settle(lease(hours(1, 2), hosts(1, 1, left(AT_LEAST, 65))).hold()))
                .isInstanceOf(Grant.TooFew.class);
        world.relabel(1, Map.of("free_vcpus", "100"));
        assertThat(settle(lease(hours(1, 2), hosts(1, 1, left(AT_LEAST, 65))).hold()))
                .as("an operator's word for something else")
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_reservation_relies_on_a_capability_with_the_prefix_free() {
        world.enrol(1, Map.of("free_cooling", "True"));
        SampleRequests.SampleLease lease =
                lease(hours(0, 1), hosts(1, 1, having("free_cooling", "True")));
        held(lease);

        assertThat(world.reliesOn(lease.reservation())).contains("free_cooling");
    }

    @Test
    void a_reservation_gets_slots_for_all_demands_or_for_none() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        held(lease(hours(0, 1), where(40, having("zone", "b"))));

        assertThat(settle(several(SEVERAL, List.of(), false, inZone("a", 30), inZone("b", 30))))
                .isInstanceOfSatisfying(
                        Grant.TooFew.class, refused -> assertThat(refused.shortages()).hasSize(1));
        assertThat(world.claims(SEVERAL.reservation())).isEmpty();
        assertThat(
                        slotsOf(
                                settle(
                                        several(
                                                SEVERAL,
                                                List.of(),
                                                false,
                                                inZone("a", 30),
                                                inZone("b", 20)))))
                .isEqualTo(Map.of(1L, 1, 2L, 1));
    }

    @Test
    void one_tenure_covers_all_demands_and_a_replacement_meets_the_same_demand() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        world.enrol(3, Map.of("zone", "a"));
        Grant.Held held =
                (Grant.Held)
                        settle(
                                several(
                                        SEVERAL,
                                        List.of(),
                                        false,
                                        inZone("a", 30),
                                        inZone("b", 20)));
        world.disable(1, "broken");

        Grant.TakenUp takenUp =
                (Grant.TakenUp)
                        settle(
                                new CalendarRequest.TakeUp(
                                        SEVERAL.id(),
                                        SampleRequests.PROJECT,
                                        List.of(
                                                new CalendarRequest.Granted(
                                                        SEVERAL.reservation(),
                                                        List.of(inZone("a", 30), inZone("b", 20)),
                                                        hours(0, 1),
                                                        held.allocations()
                                                                .get(SEVERAL.reservation()))),
                                        false));

        assertThat(takenUp.tenures()).hasSize(1);
        assertThat(takenUp.replacements())
                .extracting(r -> r.by().resource().value())
                .containsExactly(3L);
        assertThat(world.claims(SEVERAL.reservation()))
                .extracting(claim -> claim.resource().value())
                .containsExactlyInAnyOrder(2L, 3L);
    }

    @Test
    void a_running_slot_grows_on_the_same_host_up_to_the_free_capacity() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        world.enrol(3, Map.of("zone", "b"));
        SampleRequests.SampleLease other = lease(hours(0, 1), where(20, having("zone", "a")));
        held(other);
        Grant held = settle(several(SEVERAL, List.of(), false, inZone("a", 30)));
        settle(
                new CalendarRequest.TakeUp(
                        SEVERAL.id(),
                        SampleRequests.PROJECT,
                        List.of(
                                new CalendarRequest.Granted(
                                        SEVERAL.reservation(),
                                        List.of(inZone("a", 30)),
                                        hours(0, 1),
                                        ((Grant.Held) held)
                                                .allocations()
                                                .get(SEVERAL.reservation()))),
                        false));

        assertThat(settle(several(SEVERAL, List.of(1L), true, inZone("a", 45), inZone("b", 1))))
                .isInstanceOf(Grant.TooFew.class);
        Grant grown = settle(several(SEVERAL, List.of(1L), true, inZone("a", 44), inZone("b", 1)));
        assertThat(slotsOf(grown)).isEqualTo(Map.of(1L, 1, 2L, 1));
        assertThat(((Grant.Held) grown).tenures()).hasSize(1);
        assertThat(settle(lease(hours(0, 1), where(1, having("zone", "a"))).hold()))
                .isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void a_running_slot_grows_beside_the_slots_that_the_lease_keeps() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(1, 20), slots(1, 20));
        settle(lease.takeUp(settle(lease.hold())));
        held(lease(hours(0, 1), slots(1, 22)));

        assertThat(settle(grown(lease, 23))).isInstanceOf(Grant.TooFew.class);
        assertThat(settle(grown(lease, 22))).isInstanceOf(Grant.Held.class);
        assertThat(settle(lease(hours(0, 1), slots(1, 1)).hold())).isInstanceOf(Grant.TooFew.class);
    }

    /** Returns a request for a larger first slot of a lease of two slots, which runs on host 1. */
    private static CalendarRequest.Hold grown(SampleRequests.SampleLease lease, long cores) {
        List<ResourceId> current = List.of(new ResourceId(1));
        return new CalendarRequest.Hold(
                lease.id(),
                SampleRequests.PROJECT,
                List.of(
                        new CalendarRequest.Wanted(
                                lease.reservations().get(0),
                                slots(1, cores),
                                lease.period(),
                                current,
                                true),
                        new CalendarRequest.Wanted(
                                lease.reservations().get(1),
                                slots(1, 20),
                                lease.period(),
                                current,
                                true)));
    }

    @Test
    void a_joining_reservation_with_several_demands_gets_one_tenure() {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        SampleRequests.SampleLease lease = lease(hours(0, 1), slots(1, 30));
        settle(lease.takeUp(settle(lease.hold())));

        Grant joined = settle(lease.join(List.of(1L), inZone("a", 30), inZone("b", 20)));

        ReservationId joiner = lease.joiner();
        assertThat(slots(((Grant.Held) joined).allocations().get(joiner)))
                .isEqualTo(Map.of(1L, 1, 2L, 1));
        assertThat(((Grant.Held) joined).tenures())
                .extracting(Tenure::reservation)
                .containsExactly(joiner);
        assertThat(world.holders()).containsOnly(1L, 2L);
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

    private static final SampleRequests.SampleLease SEVERAL = lease(hours(0, 1), slots(1, 1));

    private static CalendarRequest<?> several(
            SampleRequests.SampleLease lease,
            List<Long> current,
            boolean running,
            Demand... demands) {
        return new CalendarRequest.Hold(
                lease.id(),
                SampleRequests.PROJECT,
                Arrays.stream(demands)
                        .map(
                                demand ->
                                        new CalendarRequest.Wanted(
                                                lease.reservation(),
                                                demand,
                                                lease.period(),
                                                current.stream().map(ResourceId::new).toList(),
                                                running))
                        .toList());
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

    private static Map<Long, Integer> slotsOf(Grant grant) {
        return slots(((Grant.Held) grant).allocations().get(SEVERAL.reservation()));
    }

    private static Demand inZone(String zone, long cores) {
        return where(cores, having("zone", zone));
    }

    private static Requirement left(Requirement.Operator operator, int cores) {
        return new Requirement.Comparison(operator, "free_vcpus", Integer.toString(cores));
    }

    /** Returns a demand of one slot with this number of cores. */
    private static Demand where(long cores, Requirement requirement) {
        return new Demand.Shared(
                ResourceKind.PHYSICAL_HOST,
                1,
                Map.of("VCPU", cores),
                requirement,
                Demand.Spread.ANYWHERE);
    }

    private static Demand needing(int slots, Map<String, Long> needs) {
        return new Demand.Shared(
                ResourceKind.PHYSICAL_HOST,
                slots,
                needs,
                Requirement.none(),
                Demand.Spread.ANYWHERE);
    }

    private Grant settle(CalendarRequest<?> request) {
        return world.settle(calendar, request);
    }

    private Map<Long, Integer> held(SampleRequests.SampleLease lease) {
        return slots(((Grant.Held) settle(lease.hold())).allocations().get(lease.reservation()));
    }
}
