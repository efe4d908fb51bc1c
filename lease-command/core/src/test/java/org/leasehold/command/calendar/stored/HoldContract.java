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
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The rules for holds of requested resources in every calendar. */
abstract class HoldContract {

    private final CalendarFixture world = world();
    private final Calendar calendar = world.calendar(Duration.ZERO);

    abstract CalendarFixture world();

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
        assertThat(settle(lease(hours(0, 3), hosts(1, 1)).hold())).isInstanceOf(Grant.TooFew.class);
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
                .isInstanceOf(Grant.TooFew.class);
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
                .isInstanceOf(Grant.TooFew.class);
        world.enrol(2, Map.of("gpu", "yes"));
        assertThat(held(lease(hours(0, 1), hosts(1, 1, gpu)))).containsExactly(2L);
        world.relabel(1, Map.of("gpu", "yes"));
        assertThat(held(lease(hours(0, 1), hosts(1, 1, gpu)))).containsExactly(1L);
        world.disable(1, "broken");
        assertThat(settle(lease(hours(5, 6), hosts(2, 2, gpu)).hold()))
                .isInstanceOf(Grant.TooFew.class);
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
                        new Grant.TooFew(
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
                        Grant.TooFew.class,
                        unknown -> assertThat(unknown.shortages().getFirst().nextStart()).isNull());
    }

    @Test
    void two_reservations_of_a_lease_do_not_get_the_same_named_resource() {
        world.withHosts(2);
        assertThat(settle(lease(hours(0, 1), hosts(1, "host-1"), hosts(1, "host-1")).hold()))
                .isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void a_resized_reservation_keeps_the_named_resource() {
        world.withHosts(4);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, "host-3"));
        assertThat(held(lease)).containsExactly(3L, 1L);
        for (boolean running : new boolean[] {false, true}) {
            if (running) {
                settle(
                        lease.takeUp(
                                settle(
                                        lease.change(
                                                hours(0, 1),
                                                hosts(2, "host-3"),
                                                List.of(3L, 1L),
                                                false))));
            }
            Grant.Held more =
                    (Grant.Held)
                            settle(
                                    lease.change(
                                            hours(0, 1),
                                            hosts(3, "host-3"),
                                            List.of(1L, 3L),
                                            running));
            assertThat(ids(more.allocations().get(lease.reservation())))
                    .as("running: %s", running)
                    .containsExactlyInAnyOrder(1L, 2L, 3L);
            Grant.Held fewer =
                    (Grant.Held)
                            settle(
                                    lease.change(
                                            hours(0, 1),
                                            hosts(1, "host-3"),
                                            List.of(1L, 2L, 3L),
                                            running));
            assertThat(ids(fewer.allocations().get(lease.reservation())))
                    .as("running: %s", running)
                    .containsExactly(3L);
        }
    }

    @Test
    void a_running_reservation_gets_a_named_resource_only_without_a_holder() {
        world.withHosts(3);
        SampleRequests.SampleLease other = lease(hours(-2, -1), hosts(1, "host-3"));
        settle(other.takeUp(settle(other.hold())));
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, "host-2"));
        settle(lease.takeUp(settle(lease.hold())));
        assertThat(settle(lease.change(hours(0, 1), hosts(2, "host-3"), List.of(2L), true)))
                .isInstanceOf(Grant.TooFew.class);
        settle(new CalendarRequest.LetGo(other.reservation(), java.util.Set.of()));
        Grant.Held both =
                (Grant.Held)
                        settle(lease.change(hours(0, 1), hosts(2, "host-3"), List.of(2L), true));
        assertThat(ids(both.allocations().get(lease.reservation()))).containsExactly(2L, 3L);
        assertThat(world.holders()).containsExactly(2L, 3L);
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
                        new Grant.TooFew(
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

    @Test
    void a_planned_change_keeps_the_current_resources() {
        world.withHosts(4);
        held(lease(hours(0, 4), hosts(1, 1)));
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, 2));
        assertThat(held(lease)).containsExactly(2L, 3L);
        Grant.Held longer =
                (Grant.Held) settle(lease.change(hours(0, 8), hosts(2, 2), List.of(3L, 2L), false));
        assertThat(ids(longer.allocations().get(lease.reservation()))).containsExactly(3L, 2L);
        assertThat(longer.tenures()).isEmpty();
        Grant.Held more =
                (Grant.Held) settle(lease.change(hours(0, 8), hosts(1, 4), List.of(3L, 2L), false));
        assertThat(ids(more.allocations().get(lease.reservation()))).containsExactly(3L, 2L, 4L);
    }

    @Test
    void a_refused_change_keeps_the_existing_claims() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        held(lease);
        held(lease(hours(1, 2), hosts(1, 1)));
        assertThat(settle(lease.change(hours(0, 2), hosts(1, 1), List.of(1L), false)))
                .isInstanceOf(Grant.TooFew.class);
        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 1)));
    }

    @Test
    void a_planned_lease_moves_to_another_resource_and_a_running_one_does_not() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        held(lease);
        held(lease(hours(1, 2), hosts(1, 1)));
        assertThat(
                        ((Grant.Held)
                                        settle(
                                                lease.change(
                                                        hours(0, 2),
                                                        hosts(1, 1),
                                                        List.of(1L),
                                                        false)))
                                .allocations()
                                .get(lease.reservation()))
                .extracting(a -> a.resource().value())
                .containsExactly(2L);

        SampleRequests.SampleLease running = lease(hours(-1, 0), hosts(1, 1));
        Grant held = settle(running.hold());
        settle(running.takeUp(held));
        Grant.TooFew refusal =
                (Grant.TooFew) settle(running.change(hours(-1, 2), hosts(1, 1), List.of(1L), true));
        assertThat(refusal.shortages())
                .containsExactly(
                        new Shortage(
                                running.reservation(),
                                ResourceKind.PHYSICAL_HOST,
                                1,
                                1,
                                0,
                                hours(1, 2),
                                0,
                                null));
    }

    @Test
    void a_running_reservation_grows_at_once_and_shrinks_after_the_release() {
        world.withHosts(4);
        SampleRequests.SampleLease other = lease(hours(-2, -1), hosts(1, 1));
        settle(other.takeUp(settle(other.hold())));
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, 2));
        Grant.TakenUp started =
                (Grant.TakenUp)
                        settle(
                                lease.takeUp(
                                        settle(
                                                lease.change(
                                                        hours(0, 1),
                                                        hosts(2, 2),
                                                        List.of(2L, 3L),
                                                        false))));
        Grant.Held grown =
                (Grant.Held) settle(lease.change(hours(0, 2), hosts(3, 3), List.of(2L, 3L), true));
        // Host 1 is free in the calendar, but a lease that overruns still holds it.
        assertThat(ids(grown.allocations().get(lease.reservation()))).containsExactly(2L, 3L, 4L);
        assertThat(grown.tenures()).hasSize(1);
        assertThat(world.isCurrent(started.tenures().getFirst())).isFalse();
        assertThat(world.isCurrent(grown.tenures().getFirst())).isTrue();

        Grant.Held shrunk =
                (Grant.Held)
                        settle(lease.change(hours(0, 2), hosts(1, 1), List.of(2L, 3L, 4L), true));
        assertThat(ids(shrunk.allocations().get(lease.reservation()))).containsExactly(2L);
        assertThat(held(lease(hours(0, 1), hosts(2, 2)))).containsExactly(1L, 3L);
        assertThat(world.holders()).containsExactly(1L, 2L, 3L, 4L);
        settle(
                new CalendarRequest.LetGo(
                        lease.reservation(),
                        java.util.Set.of(new ResourceId(3), new ResourceId(4))));
        assertThat(world.holders()).containsExactly(1L, 2L);
        assertThat(world.isCurrent(shrunk.tenures().getFirst())).isTrue();
    }

    @Test
    void a_reservation_that_joins_a_running_lease_holds_resources_at_once() {
        world.withHosts(4);
        SampleRequests.SampleLease other = lease(hours(-2, -1), hosts(1, 1));
        settle(other.takeUp(settle(other.hold())));
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, "host-2"));
        Grant.TakenUp started = (Grant.TakenUp) settle(lease.takeUp(settle(lease.hold())));

        Grant.Held joined = (Grant.Held) settle(lease.join(hosts(1, 2), List.of(2L)));

        ReservationId joiner = lease.joiner();
        // Host 1 is free in the calendar, but a lease that overruns still holds it.
        assertThat(ids(joined.allocations().get(joiner))).containsExactly(3L, 4L);
        assertThat(ids(joined.allocations().get(lease.reservation()))).containsExactly(2L);
        assertThat(joined.tenures()).extracting(Tenure::reservation).containsExactly(joiner);
        assertThat(world.isCurrent(joined.tenures().getFirst())).isTrue();
        assertThat(world.isCurrent(started.tenures().getFirst())).isTrue();
        assertThat(world.holders()).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void a_refused_addition_leaves_a_running_lease_unchanged() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        settle(lease.takeUp(settle(lease.hold())));

        assertThat(settle(lease.join(hosts(2, 2), List.of(1L)))).isInstanceOf(Grant.TooFew.class);

        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 1)));
        assertThat(world.claims(lease.joiner())).isEmpty();
        assertThat(world.holders()).containsExactly(1L);
    }

    @Test
    void a_shrunk_and_extended_reservation_keeps_a_resource_that_stays_free() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, 2));
        settle(lease.takeUp(settle(lease.hold())));
        assertThat(held(lease(hours(1, 2), hosts(1, 1)))).containsExactly(1L);

        Grant.Held changed =
                (Grant.Held) settle(lease.change(hours(0, 2), hosts(1, 1), List.of(1L, 2L), true));

        assertThat(ids(changed.allocations().get(lease.reservation()))).containsExactly(2L);
    }

    @Test
    void a_resource_out_of_service_allows_a_shorter_window_but_no_extension() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 2), hosts(1, 1));
        settle(lease.takeUp(settle(lease.hold())));
        world.disable(1, "smoke");
        assertThat(settle(lease.change(hours(0, 1), hosts(1, 1), List.of(1L), true)))
                .isInstanceOf(Grant.Held.class);
        assertThat(settle(lease.change(hours(0, 3), hosts(1, 1), List.of(1L), true)))
                .isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void a_running_reservation_keeps_a_resource_that_no_longer_matches() {
        world.withHosts(2);
        Demand large = hosts(1, 1, having("vcpus", "64"));
        SampleRequests.SampleLease lease = lease(hours(0, 2), large);
        settle(lease.takeUp(settle(lease.hold())));
        world.describe(1, Map.of("vcpus", "32"));

        Grant.Held shorter =
                (Grant.Held) settle(lease.change(hours(0, 1), large, List.of(1L), true));
        assertThat(ids(shorter.allocations().get(lease.reservation()))).containsExactly(1L);
        assertThat(shorter.tenures()).isEmpty();
        assertThat(settle(lease.change(hours(0, 3), large, List.of(1L), true)))
                .isInstanceOf(Grant.TooFew.class);
        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 1)));
        assertThat(held(lease(hours(2, 3), large))).containsExactly(2L);
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
                .isInstanceOf(Grant.TooFew.class);
    }

    @Test
    void a_lease_starts_on_a_granted_resource_that_no_longer_matches() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1, having("vcpus", "64")));
        Grant held = settle(lease.hold());
        world.describe(1, Map.of("vcpus", "32"));

        Grant.TakenUp taken = (Grant.TakenUp) settle(lease.takeUp(held));

        assertThat(taken.replacements()).isEmpty();
        assertThat(world.holders()).containsExactly(1L);
    }

    @Test
    void an_early_end_shortens_claims_and_cleans_only_held_resources() {
        world.withHosts(2);
        Calendar cleaning = world.calendar(Duration.ofMinutes(30));
        SampleRequests.SampleLease held = lease(hours(0, 8), hosts(1, 1));
        world.settle(cleaning, held.takeUp(world.settle(cleaning, held.hold())));
        SampleRequests.SampleLease idle = lease(hours(0, 8), hosts(1, 1));
        world.settle(cleaning, idle.hold());
        SampleRequests.SampleLease later = lease(hours(10, 11), hosts(1, 1));
        world.settle(cleaning, later.hold());

        for (SampleRequests.SampleLease lease : List.of(held, idle, later)) {
            world.settle(cleaning, new Shorten(lease.id(), hours(0, 1).end()));
        }

        assertThat(world.claims(held.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(1),
                                new LeasePeriod(NOON, NOON.plus(Duration.ofMinutes(90)))));
        assertThat(world.claims(idle.reservation()))
                .containsExactly(new Claim(new ResourceId(2), hours(0, 1)));
        assertThat(world.claims(later.reservation())).isEmpty();
        world.settle(cleaning, new CalendarRequest.GiveUp(held.id(), hours(0, 1).end()));
        assertThat(world.holders()).isEmpty();
    }

    @Test
    void an_end_never_lengthens_a_claim() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        settle(lease.takeUp(settle(lease.hold())));
        settle(new Shorten(lease.id(), hours(0, 5).end()));
        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 1)));
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

    private List<Shortage> shortages(SampleRequests.SampleLease lease) {
        return ((Grant.TooFew) settle(lease.hold())).shortages();
    }

    private Grant settle(CalendarRequest<?> request) {
        return world.settle(calendar, request);
    }

    private List<Long> held(SampleRequests.SampleLease lease) {
        return ids(((Grant.Held) settle(lease.hold())).allocations().get(lease.reservation()));
    }
}
