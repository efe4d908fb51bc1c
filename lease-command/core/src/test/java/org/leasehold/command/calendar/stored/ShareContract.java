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
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.Share;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The rules for shares of resources in every calendar; the hosts of these tests have 64 cores. */
abstract class ShareContract extends ShareFixture {

    @Test
    void slots_fill_a_host_up_to_the_capacity() {
        world.withHosts(1);
        assertThat(held(lease(hours(0, 2), slots(7, 8)))).isEqualTo(Map.of(1L, 7));
        assertThat(settle(lease(hours(1, 3), slots(2, 8)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(held(lease(hours(1, 3), slots(1, 8)))).isEqualTo(Map.of(1L, 1));
        assertThat(settle(lease(hours(1, 2), slots(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void each_resource_class_limits_the_slots_of_a_host() {
        world.withHosts(1);
        assertThat(held(lease(hours(0, 1), needing(2, Map.of("VCPU", 1L, "MEMORY_MB", 30_000L)))))
                .isEqualTo(Map.of(1L, 2));
        assertThat(settle(lease(hours(0, 1), needing(1, Map.of("MEMORY_MB", 10_000L))).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(settle(lease(hours(0, 1), needing(1, Map.of("CUSTOM_GPU", 1L))).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
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
        assertThat(settle(lease(hours(0, 2), slots(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
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
        assertThat(settle(lease(hours(1, 2), hosts(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(held(lease(hours(2, 3), hosts(1, 1)))).isEqualTo(Map.of(1L, 1));
    }

    @Test
    void partly_used_hosts_are_filled_before_empty_hosts() {
        world.withHosts(3);
        SampleRequests.SampleLease whole = lease(hours(0, 1), hosts(2, 2));
        held(whole);
        held(lease(hours(0, 1), slots(1, 32)));
        settle(new Shorten(whole.id(), whole.reservations(), hours(0, 1).start()));
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
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(settle(lease(hours(0, 1), slots(2, 33, TOGETHER)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
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
                .isInstanceOf(Grant.HoldRefused.class);
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
                        new Grant.HoldRefused(
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
        assertThat(settle(lease(hours(0, 1), slots(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
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
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(held(lease(hours(1, 3), slots(1, 1)))).hasSize(1);
    }

    @Test
    void a_requirement_may_ask_for_hosts_that_are_nearly_full() {
        world.withHosts(2);
        held(lease(hours(0, 1), slots(1, 60)));
        Requirement full = left(AT_MOST, 8);

        assertThat(held(lease(hours(0, 1), where(2, full)))).isEqualTo(Map.of(1L, 1));
        assertThat(settle(lease(hours(1, 2), where(2, full)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void a_refusal_for_a_nearly_full_host_names_the_start_of_the_next_use() {
        world.withHosts(1);
        held(lease(hours(2, 4), slots(1, 60)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), where(1, left(AT_MOST, 8)));

        Grant.HoldRefused refusal = (Grant.HoldRefused) settle(lease.hold());

        // The window is one hour; its last microsecond must touch the claim.
        assertThat(refusal.shortages().getFirst().nextStart())
                .isEqualTo(hours(1, 2).start().plusNanos(1_000));
    }

    @Test
    void a_refusal_for_free_capacity_names_the_next_start() {
        world.withHosts(1);
        held(lease(hours(0, 2), slots(1, 40)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), where(1, left(AT_LEAST, 32)));

        Grant.HoldRefused refusal = (Grant.HoldRefused) settle(lease.hold());

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
                .isInstanceOf(Grant.HoldRefused.class);
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

    private static Requirement left(Requirement.Operator operator, int cores) {
        return new Requirement.Comparison(operator, "free_vcpus", Integer.toString(cores));
    }

    private static Demand needing(int slots, Map<String, Long> needs) {
        return new Demand.Shared(
                ResourceKind.PHYSICAL_HOST,
                slots,
                needs,
                Requirement.none(),
                Demand.Spread.ANYWHERE);
    }
}
