package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.PROJECT;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.AdoptedReservation;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rules for the adoption of resources that were chosen elsewhere, in every calendar. */
abstract class AdoptContract {

    private static final Instant NOW = SampleRequests.NOON.plus(Duration.ofMinutes(30));

    private final CalendarFixture world = world();
    private final Calendar calendar = world.calendar(Duration.ofMinutes(10));

    abstract CalendarFixture world();

    @Test
    void an_adopted_future_lease_claims_the_same_hosts_and_gets_no_tenure() {
        world.withHosts(3);
        SampleRequests.SampleLease lease = lease(hours(1, 2), hosts(1, 2));
        Grant.Held held = (Grant.Held) settle(lease, false, Map.of(2L, 1));
        assertThat(SampleRequests.ids(held.allocations().get(lease.reservation())))
                .containsExactly(2L);
        assertThat(held.cleaning()).isEqualTo(Duration.ofMinutes(10));
        assertThat(held.tenures()).isEmpty();
        assertThat(world.claims(lease.reservation()))
                .extracting(Claim::resource)
                .containsExactly(new ResourceId(2));
        assertThat(world.holders()).isEmpty();
    }

    @Test
    void an_adopted_running_lease_gets_tenures_at_once() {
        world.withHosts(3);
        SampleRequests.SampleLease lease = lease(hours(0, 2), hosts(1, 1), hosts(1, 1));
        Grant.Held held = (Grant.Held) settle(lease, true, Map.of(2L, 1), Map.of(3L, 1));
        assertThat(held.tenures())
                .extracting(Tenure::reservation)
                .containsExactlyElementsOf(lease.reservations());
        assertThat(held.tenures()).allMatch(world::isCurrent);
        assertThat(world.holders()).containsExactly(2L, 3L);
    }

    @Test
    void a_host_out_of_service_can_be_adopted() {
        world.withHosts(1);
        world.disable(1, "fan");
        SampleRequests.SampleLease lease = lease(hours(0, 2), hosts(1, 1));
        assertThat(settle(lease, true, Map.of(1L, 1))).isInstanceOf(Grant.Held.class);
        assertThat(world.holders()).containsExactly(1L);
    }

    @Test
    void an_unknown_host_is_reported() {
        SampleRequests.SampleLease lease = lease(hours(0, 2), hosts(1, 1));
        assertThat(settle(lease, true, Map.of(7L, 1)))
                .isEqualTo(new Grant.NotFree(lease.reservation(), "resource 7 is unknown"));
    }

    @Test
    void a_host_with_a_conflicting_claim_is_reported_and_nothing_is_held() {
        world.withHosts(2);
        settle(lease(hours(1, 2), hosts(1, 1)), false, Map.of(2L, 1));
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1), hosts(1, 1));
        // The cleaning time of one lease overlaps the window of the other.
        assertThat(settle(lease, true, Map.of(1L, 1), Map.of(2L, 1)))
                .isEqualTo(
                        new Grant.NotFree(
                                lease.reservations().get(1),
                                "host-2 is another reservation's at some time from"
                                        + " 2030-01-01T12:00:00Z to 2030-01-01T13:10:00Z"));
        assertThat(world.claims(lease.reservation())).isEmpty();
        assertThat(world.holders()).isEmpty();
    }

    @Test
    void a_host_that_an_expired_lease_still_holds_is_reported() {
        world.withHosts(2);
        SampleRequests.SampleLease old = lease(hours(-2, -1), hosts(1, 1));
        settle(old, true, Map.of(2L, 1));
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1), hosts(1, 1));
        assertThat(settle(lease, true, Map.of(1L, 1), Map.of(2L, 1)))
                .isEqualTo(
                        new Grant.NotFree(
                                lease.reservations().get(1),
                                "host-2 is in the hands of reservation " + old.reservation()));
        assertThat(world.claims(lease.reservation())).isEmpty();
        assertThat(world.holders()).containsExactly(2L);
        // A lease that only waits for the resource does not need it yet.
        assertThat(settle(lease(hours(0, 1), hosts(1, 1)), false, Map.of(2L, 1)))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_held_slot_blocks_the_adoption_of_a_whole_host_but_not_of_a_slot() {
        world.withHosts(1);
        settle(lease(hours(-2, -1), slots(1, 8)), true, Map.of(1L, 1));
        assertThat(settle(lease(hours(0, 1), slots(1, 8)), true, Map.of(1L, 1)))
                .isInstanceOf(Grant.Held.class);
        assertThat(settle(lease(hours(2, 3), hosts(1, 1)), true, Map.of(1L, 1)))
                .isInstanceOfSatisfying(
                        Grant.NotFree.class,
                        grant ->
                                assertThat(grant.reason())
                                        .startsWith("host-1 is in the hands of reservation "));
    }

    @Test
    void adopted_slots_keep_their_hosts() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 2), slots(3, 8));
        Grant.Held held = (Grant.Held) settle(lease, true, Map.of(1L, 1, 2L, 2));
        assertThat(slots(held.allocations().get(lease.reservation())))
                .isEqualTo(Map.of(1L, 1, 2L, 2));
        assertThat(settle(lease(hours(1, 2), slots(6, 8)), false, Map.of(2L, 6)))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void an_overcommitted_host_is_reported() {
        world.withHosts(1);
        settle(lease(hours(0, 2), slots(5, 8)), true, Map.of(1L, 5));
        SampleRequests.SampleLease lease = lease(hours(1, 3), slots(4, 8));
        assertThat(settle(lease, false, Map.of(1L, 4)))
                .isEqualTo(
                        new Grant.NotFree(
                                lease.reservation(),
                                "host-1 has room for 3 slots of {VCPU=8}, not for 4"));
        assertThat(world.claims(lease.reservation())).isEmpty();
    }

    /**
     * Settles a request as the decider does: a lease that is not held completely leaves no trace.
     */
    @SafeVarargs
    private Grant settle(
            SampleRequests.SampleLease lease, boolean runs, Map<Long, Integer>... slots) {
        return world.command(
                () ->
                        calendar.executeAndDecide(
                                adopt(lease, runs, slots),
                                answer -> answer,
                                answer -> answer instanceof Grant.Held));
    }

    @SafeVarargs
    private static Adopt adopt(
            SampleRequests.SampleLease lease, boolean runs, Map<Long, Integer>... slots) {
        List<AdoptedReservation> adopted = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            Map<ResourceId, Integer> had = new LinkedHashMap<>();
            slots[i].forEach((id, count) -> had.put(new ResourceId(id), count));
            adopted.add(
                    new AdoptedReservation(
                            lease.reservations().get(i),
                            lease.demands().get(i),
                            lease.period(),
                            had,
                            runs));
        }
        return new Adopt(lease.id(), PROJECT, adopted, NOW);
    }
}
