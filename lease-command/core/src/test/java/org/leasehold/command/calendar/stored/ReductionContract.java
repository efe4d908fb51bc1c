package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Reduce;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.stored.SampleRequests.SampleLease;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules for reductions of running reservations in every calendar; hosts have 64 cores. */
abstract class ReductionContract {

    private final CalendarFixture world = world();
    private final Calendar calendar = world.calendar(Duration.ZERO);

    abstract CalendarFixture world();

    private final SampleLease running = lease(hours(0, 4), in("a", 40));
    private Tenure tenure = new Tenure(running.reservation(), 0);

    /** Returns a demand of one slot in a zone. */
    private static Demand in(String zone, long cores) {
        return demand(having("zone", zone), Map.of("VCPU", cores));
    }

    private static Demand demand(Requirement requirement, Map<String, Long> needs) {
        return new Demand.Shared(
                ResourceKind.PHYSICAL_HOST, 1, needs, requirement, Demand.Spread.TOGETHER);
    }

    /** Starts the running lease with these demands, and returns what it holds. */
    private List<Allocation> start(Demand... demands) {
        world.enrol(1, Map.of("zone", "a"));
        world.enrol(2, Map.of("zone", "b"));
        CalendarRequest.Hold hold =
                new CalendarRequest.Hold(
                        running.id(),
                        SampleRequests.PROJECT,
                        List.of(demands).stream()
                                .map(
                                        demand ->
                                                new CalendarRequest.Wanted(
                                                        running.reservation(),
                                                        demand,
                                                        running.period(),
                                                        List.of(),
                                                        false))
                                .toList());
        Grant.Held held = (Grant.Held) settle(hold);
        List<Allocation> allocations = held.allocations().get(running.reservation());
        tenure =
                ((Grant.TakenUp)
                                settle(
                                        new CalendarRequest.TakeUp(
                                                running.id(),
                                                SampleRequests.PROJECT,
                                                List.of(
                                                        new CalendarRequest.Granted(
                                                                running.reservation(),
                                                                List.of(demands),
                                                                running.period(),
                                                                allocations)),
                                                false)))
                        .tenures()
                        .getFirst();
        return allocations;
    }

    private Grant reduce(List<Allocation> current, Demand... demands) {
        return settle(
                new Reduce(
                        running.id(),
                        SampleRequests.PROJECT,
                        running.reservation(),
                        List.of(demands),
                        hours(1, 4),
                        current,
                        Set.of()));
    }

    private Grant settle(CalendarRequest<?> request) {
        return world.settle(calendar, request);
    }

    private boolean isFree(String zone, long cores) {
        SampleLease other = lease(hours(2, 3), in(zone, cores));
        boolean free = settle(other.hold()) instanceof Grant.Held;
        if (free) {
            settle(
                    new CalendarRequest.Shorten(
                            other.id(), other.reservations(), hours(2, 3).start()));
        }
        return free;
    }

    @Test
    void a_smaller_share_frees_the_rest_in_the_same_tenure() {
        List<Allocation> current = start(in("a", 40));
        assertThat(isFree("a", 25)).isFalse();

        Grant.Reduced reduced = (Grant.Reduced) reduce(current, in("a", 10));

        assertThat(reduced.left()).isEmpty();
        assertThat(reduced.allocations())
                .extracting(Allocation::share)
                .containsExactly(new Share(1, Map.of("VCPU", 10L)));
        assertThat(world.claims(running.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(1), hours(1, 4), new Share(1, Map.of("VCPU", 10L))));
        assertThat(world.isCurrent(tenure)).isTrue();
        assertThat(isFree("a", 54)).isTrue();
        assertThat(isFree("a", 55)).isFalse();
    }

    @Test
    void a_demand_that_is_gone_frees_the_resource_and_the_holder() {
        List<Allocation> current = start(in("a", 40), in("b", 40));

        Grant.Reduced reduced = (Grant.Reduced) reduce(current, in("b", 40));

        assertThat(reduced.left()).containsExactly(new ResourceId(1));
        assertThat(world.holders()).containsExactly(2L);
        assertThat(world.claims(running.reservation()))
                .extracting(Claim::resource)
                .containsExactly(new ResourceId(2));
        assertThat(world.isCurrent(tenure)).isTrue();
        assertThat(isFree("a", 64)).isTrue();
    }

    @Test
    void a_demand_of_nothing_keeps_a_claim_and_the_holder() {
        List<Allocation> current = start(in("a", 40));

        assertThat(reduce(current, in("a", 0))).isInstanceOf(Grant.Reduced.class);

        assertThat(world.holders()).containsExactly(1L);
        assertThat(world.claims(running.reservation())).hasSize(1);
        assertThat(isFree("a", 64)).isTrue();
    }

    @Test
    void a_larger_demand_or_one_for_another_resource_changes_nothing() {
        List<Allocation> current = start(in("a", 40));
        List<Claim> claims = world.claims(running.reservation());

        assertThat(reduce(current, in("a", 41))).isEqualTo(new Grant.NotReduced(List.of()));
        assertThat(reduce(current, in("b", 1))).isEqualTo(new Grant.NotReduced(List.of()));
        assertThat(reduce(current, in("a", 1), in("a", 1)))
                .isEqualTo(new Grant.NotReduced(List.of()));
        assertThat(reduce(current, demand(having("zone", "a"), Map.of("MEMORY_MB", 1L))))
                .isEqualTo(new Grant.NotReduced(List.of()));
        assertThat(reduce(current, slots(2, 1))).isEqualTo(new Grant.NotReduced(List.of()));

        assertThat(world.claims(running.reservation())).isEqualTo(claims);
        assertThat(world.holders()).containsExactly(1L);
    }

    @Test
    void a_reduction_on_a_host_out_of_service_succeeds() {
        List<Allocation> current = start(in("a", 40));
        world.disable(1, "smoke");

        assertThat(reduce(current, in("a", 10))).isInstanceOf(Grant.Reduced.class);
    }

    @Test
    void resources_lost_before_are_released_in_any_case() {
        List<Allocation> current = start(in("a", 40), in("b", 40));
        Reduce impossible =
                new Reduce(
                        running.id(),
                        SampleRequests.PROJECT,
                        running.reservation(),
                        List.of(in("a", 41)),
                        hours(1, 4),
                        current,
                        Set.of(new ResourceId(2)));

        assertThat(settle(impossible)).isEqualTo(new Grant.NotReduced(List.of(new ResourceId(2))));

        assertThat(world.holders()).containsExactly(1L);
    }

    @Test
    void fewer_whole_hosts_are_the_first_ones_whatever_became_of_them() {
        world.withHosts(3);
        SampleLease whole = lease(hours(0, 4), hosts(3, 3));
        Grant.Held held = (Grant.Held) settle(whole.hold());
        settle(whole.takeUp(held));
        List<Allocation> current = held.allocations().get(whole.reservation());
        world.disable(1, "smoke");
        Reduce smaller =
                new Reduce(
                        whole.id(),
                        SampleRequests.PROJECT,
                        whole.reservation(),
                        List.of(hosts(1, 2)),
                        hours(1, 4),
                        current,
                        Set.of());

        Grant.Reduced reduced = (Grant.Reduced) settle(smaller);

        assertThat(reduced.left()).containsExactly(new ResourceId(3));
        assertThat(world.holders()).containsExactly(1L, 2L);
        assertThat(world.claims(whole.reservation()))
                .extracting(Claim::resource)
                .containsExactlyInAnyOrder(new ResourceId(1), new ResourceId(2));
    }

    @Test
    void more_whole_hosts_than_it_holds_are_no_reduction() {
        world.withHosts(3);
        SampleLease whole = lease(hours(0, 4), hosts(1, 1));
        Grant.Held held = (Grant.Held) settle(whole.hold());
        settle(whole.takeUp(held));

        assertThat(
                        settle(
                                new Reduce(
                                        whole.id(),
                                        SampleRequests.PROJECT,
                                        whole.reservation(),
                                        List.of(hosts(2, 2)),
                                        hours(1, 4),
                                        held.allocations().get(whole.reservation()),
                                        Set.of())))
                .isEqualTo(new Grant.NotReduced(List.of()));
    }
}
