package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.ids;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rules for holds of requested resources in every calendar. */
abstract class HoldContract extends HoldFixture {

    @Test
    void a_reservation_gets_the_free_resources_with_the_lowest_ids() {
        world.withHosts(4);
        assertThat(held(lease(hours(0, 1), hosts(2, 2)))).containsExactly(1L, 2L);
        assertThat(held(lease(hours(0, 1), hosts(1, 1)))).containsExactly(3L);
    }

    @Test
    void a_reservation_gets_all_free_resources_up_to_the_maximum() {
        world.withHosts(4);
        assertThat(held(lease(hours(0, 1), hosts(1, 3)))).containsExactly(1L, 2L, 3L);
        assertThat(held(lease(hours(0, 1), hosts(1, 3)))).containsExactly(4L);
    }

    @Test
    void adjacent_windows_do_not_overlap() {
        world.withHosts(1);
        assertThat(held(lease(hours(1, 2), hosts(1, 1)))).containsExactly(1L);
        assertThat(held(lease(hours(2, 3), hosts(1, 1)))).containsExactly(1L);
        assertThat(held(lease(hours(0, 1), hosts(1, 1)))).containsExactly(1L);
        assertThat(settle(lease(hours(0, 3), hosts(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void the_cleaning_time_separates_two_leases_of_a_resource() {
        world.withHosts(1);
        Calendar cleaning = world.calendar(Duration.ofMinutes(30));
        SampleRequests.SampleLease first = lease(hours(0, 1), hosts(1, 1));
        Grant.Held held = (Grant.Held) world.settle(cleaning, first.hold());
        assertThat(held.cleaning()).isEqualTo(Duration.ofMinutes(30));
        assertThat(world.claims(first.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(1),
                                new LeasePeriod(NOON, NOON.plus(Duration.ofMinutes(90)))));
        assertThat(world.settle(cleaning, lease(hours(1, 2), hosts(1, 1)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(world.settle(cleaning, lease(hours(2, 3), hosts(1, 1)).hold()))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void only_resources_that_meet_the_requirement_are_granted() {
        world.enrol(1, Map.of("gpu", "no"));
        world.enrol(2, Map.of("gpu", "yes"));
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 2, having("gpu", "yes")));
        assertThat(held(lease)).containsExactly(2L);
        assertThat(world.reliesOn(lease.reservation())).containsExactly("gpu");
    }

    @Test
    void a_requirement_may_compare_names_and_attributes() {
        world.withHosts(3);
        Requirement big =
                new Requirement.And(
                        List.of(
                                new Requirement.Comparison(
                                        Requirement.Operator.AT_LEAST, "vcpus", "8"),
                                having("name", "host-2")));
        assertThat(held(lease(hours(0, 1), hosts(1, 1, big)))).containsExactly(2L);
    }

    @Test
    void inventory_changes_take_effect_at_once() {
        world.withHosts(1);
        Requirement gpu = having("gpu", "yes");
        assertThat(settle(lease(hours(0, 1), hosts(1, 1, gpu)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
        world.enrol(2, Map.of("gpu", "yes"));
        assertThat(held(lease(hours(0, 1), hosts(1, 1, gpu)))).containsExactly(2L);
        world.relabel(1, Map.of("gpu", "yes"));
        assertThat(held(lease(hours(0, 1), hosts(1, 1, gpu)))).containsExactly(1L);
        world.disable(1, "broken");
        assertThat(settle(lease(hours(5, 6), hosts(2, 2, gpu)).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void a_spread_selection_prefers_the_least_claimed_resources() {
        world.withHosts(3);
        held(lease(hours(0, 1), hosts(2, 2)));
        held(lease(hours(2, 3), hosts(1, 1)));
        Demand spread =
                new Demand.Whole(
                        ResourceKind.PHYSICAL_HOST,
                        3,
                        3,
                        Requirement.none(),
                        Demand.Selection.SPREAD);
        assertThat(held(lease(hours(10, 11), spread))).containsExactly(3L, 2L, 1L);
    }

    @Test
    void reservations_of_a_lease_get_distinct_and_matching_resources() {
        world.enrol(1, Map.of("gpu", "yes"));
        world.enrol(2, Map.of());
        SampleRequests.SampleLease lease =
                lease(hours(0, 1), hosts(1, 2), hosts(1, 1, having("gpu", "yes")));
        Grant.Held held = (Grant.Held) settle(lease.hold());
        assertThat(ids(held.allocations().get(lease.reservations().get(0)))).containsExactly(2L);
        assertThat(ids(held.allocations().get(lease.reservations().get(1)))).containsExactly(1L);
    }

    @Test
    void a_named_resource_is_granted() {
        world.withHosts(4);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1), hosts(2, "host-1"));
        Grant.Held held = (Grant.Held) settle(lease.hold());
        assertThat(ids(held.allocations().get(lease.reservations().get(1))))
                .containsExactly(1L, 3L);
        assertThat(ids(held.allocations().get(lease.reservations().get(0)))).containsExactly(2L);
    }

    @Test
    void a_lease_is_refused_if_the_named_resource_is_not_free() {
        world.withHosts(3);
        held(lease(hours(0, 2), hosts(1, "host-2")));
        world.happen();
        SampleRequests.SampleLease lease = lease(hours(1, 3), hosts(2, "host-2"));
        assertThat(settle(lease.hold()))
                .isEqualTo(
                        new Grant.HoldRefused(
                                List.of(
                                        new Shortage(
                                                lease.reservation(),
                                                ResourceKind.PHYSICAL_HOST,
                                                2,
                                                3,
                                                0,
                                                hours(1, 2),
                                                0,
                                                hours(2, 3).start())),
                                1));
        assertThat(settle(lease(hours(1, 3), hosts(1, "host-4")).hold()))
                .isInstanceOfSatisfying(
                        Grant.HoldRefused.class,
                        unknown -> assertThat(unknown.shortages().getFirst().nextStart()).isNull());
    }

    @Test
    void two_reservations_of_a_lease_do_not_get_the_same_named_resource() {
        world.withHosts(2);
        assertThat(settle(lease(hours(0, 1), hosts(1, "host-1"), hosts(1, "host-1")).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void a_refusal_explains_the_shortage_and_claims_nothing() {
        world.withHosts(3);
        held(lease(hours(0, 2), hosts(1, 1)));
        held(lease(hours(1, 4), hosts(1, 1)));
        world.happen();
        SampleRequests.SampleLease lease = lease(hours(0, 3), hosts(2, 2));
        assertThat(settle(lease.hold()))
                .isEqualTo(
                        new Grant.HoldRefused(
                                List.of(
                                        new Shortage(
                                                lease.reservation(),
                                                ResourceKind.PHYSICAL_HOST,
                                                2,
                                                3,
                                                1,
                                                hours(1, 2),
                                                1,
                                                hours(2, 3).start())),
                                1));
        assertThat(world.claims(lease.reservation())).isEmpty();
    }

    @Test
    void a_discarded_decision_changes_no_claim() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, 2));
        world.command(() -> calendar.executeAndDecide(lease.hold(), grant -> grant, _ -> false));
        assertThat(world.claims(lease.reservation())).isEmpty();

        held(lease);
        SampleRequests.SampleLease same = lease;
        world.command(
                () ->
                        calendar.executeAndDecide(
                                same.change(hours(5, 6), hosts(1, 1), List.of(1L, 2L), false),
                                grant -> grant,
                                _ -> false));
        assertThat(world.claims(lease.reservation()))
                .containsExactly(
                        new Claim(new ResourceId(1), hours(0, 1)),
                        new Claim(new ResourceId(2), hours(0, 1)));
    }

    /** A node that stood still may repeat a request that another node has granted since. */
    @Test
    void a_discarded_repeated_request_keeps_the_claims_of_another_node() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        held(lease);
        Hold repeated =
                new Hold(lease.id(), SampleRequests.PROJECT, lease.hold().wanted(), null, true);

        world.command(() -> calendar.executeAndDecide(repeated, grant -> grant, _ -> false));

        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 1)));
    }

    @Test
    void a_trait_filters_resources_but_is_absent_from_the_grant() {
        world.withHosts(1);
        world.describe(1, Map.of("HW_CPU_X86_AVX2", true, "CUSTOM_SLOW", false, "arch", "x86_64"));
        SampleRequests.SampleLease lease =
                lease(hours(0, 1), hosts(1, 1, having("HW_CPU_X86_AVX2", "true")));

        Grant.Held held = (Grant.Held) settle(lease.hold());

        assertThat(held.allocations().get(lease.reservation()))
                .singleElement()
                .satisfies(
                        granted ->
                                assertThat(granted.properties())
                                        .containsEntry("arch", "x86_64")
                                        .containsEntry("CUSTOM_SLOW", "false")
                                        .doesNotContainKey("HW_CPU_X86_AVX2"));
        assertThat(settle(lease(hours(1, 2), hosts(1, 1, having("CUSTOM_SLOW", "true"))).hold()))
                .isInstanceOf(Grant.HoldRefused.class);
    }

    @Test
    void equal_demands_share_one_search_for_the_next_start() {
        world.withHosts(1);
        held(lease(hours(0, 1), hosts(1, 1)));
        Demand[] same = Collections.nCopies(8, hosts(1, 1)).toArray(Demand[]::new);
        assertThat(shortages(lease(hours(0, 1), same)))
                .hasSize(8)
                .extracting(Shortage::nextStart)
                .containsOnly(hours(1, 2).start());
    }

    @Test
    void only_the_first_three_different_demands_get_a_next_start() {
        world.withHosts(1);
        held(lease(hours(0, 1), hosts(1, 1)));
        Demand[] different =
                IntStream.rangeClosed(1, 5)
                        .mapToObj(cores -> slots(1, cores))
                        .toArray(Demand[]::new);
        Instant next = hours(1, 2).start();
        assertThat(shortages(lease(hours(0, 1), different)))
                .extracting(Shortage::nextStart)
                .containsExactly(next, next, next, null, null);
    }
}
