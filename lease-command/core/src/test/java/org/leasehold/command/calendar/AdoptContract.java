package org.leasehold.command.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.Wishes.PROJECT;
import static org.leasehold.command.calendar.Wishes.hosts;
import static org.leasehold.command.calendar.Wishes.hours;
import static org.leasehold.command.calendar.Wishes.lease;
import static org.leasehold.command.calendar.Wishes.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Adopt;
import org.leasehold.command.calendar.CalendarRequest.Adopted;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the calendar takes over what was chosen elsewhere, whatever it is made of. */
abstract class AdoptContract {

    private static final Instant NOW = Wishes.NOON.plus(Duration.ofMinutes(30));

    private final CalendarWorld world = world();
    private final Calendar calendar = world.calendar(Duration.ofMinutes(10));

    abstract CalendarWorld world();

    @Test
    void it_holds_the_very_hosts_and_nobody_has_them_yet() {
        world.withHosts(3);
        Wishes.Some lease = lease(hours(1, 2), hosts(1, 2));
        Grant.Held held = (Grant.Held) settle(lease, false, Map.of(2L, 1));
        assertThat(Wishes.ids(held.allocations().get(lease.reservation()))).containsExactly(2L);
        assertThat(held.cleaning()).isEqualTo(Duration.ofMinutes(10));
        assertThat(held.tenures()).isEmpty();
        assertThat(world.claims(lease.reservation()))
                .extracting(Claim::resource)
                .containsExactly(new ResourceId(2));
        assertThat(world.holders()).isEmpty();
    }

    @Test
    void what_runs_has_its_hosts_from_the_same_moment_on() {
        world.withHosts(3);
        Wishes.Some lease = lease(hours(0, 2), hosts(1, 1), hosts(1, 1));
        Grant.Held held = (Grant.Held) settle(lease, true, Map.of(2L, 1), Map.of(3L, 1));
        assertThat(held.tenures())
                .extracting(Tenure::reservation)
                .containsExactlyElementsOf(lease.reservations());
        assertThat(held.tenures()).allMatch(world::isCurrent);
        assertThat(world.holders()).containsExactly(2L, 3L);
    }

    @Test
    void a_host_out_of_service_is_held_all_the_same() {
        world.withHosts(1);
        world.disable(1, "fan");
        Wishes.Some lease = lease(hours(0, 2), hosts(1, 1));
        assertThat(settle(lease, true, Map.of(1L, 1))).isInstanceOf(Grant.Held.class);
        assertThat(world.holders()).containsExactly(1L);
    }

    @Test
    void a_host_that_nobody_has_enrolled_is_named() {
        Wishes.Some lease = lease(hours(0, 2), hosts(1, 1));
        assertThat(settle(lease, true, Map.of(7L, 1)))
                .isEqualTo(new Grant.NotFree(lease.reservation(), "resource 7 is unknown"));
    }

    @Test
    void a_host_that_is_promised_is_named_and_nothing_is_held() {
        world.withHosts(2);
        settle(lease(hours(1, 2), hosts(1, 1)), false, Map.of(2L, 1));
        Wishes.Some lease = lease(hours(0, 1), hosts(1, 1), hosts(1, 1));
        // The cleaning of the one reaches into the window of the other.
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
    void a_host_that_was_never_taken_back_is_named_however_long_its_window_is_over() {
        world.withHosts(2);
        Wishes.Some old = lease(hours(-2, -1), hosts(1, 1));
        settle(old, true, Map.of(2L, 1));
        Wishes.Some lease = lease(hours(0, 1), hosts(1, 1), hosts(1, 1));
        assertThat(settle(lease, true, Map.of(1L, 1), Map.of(2L, 1)))
                .isEqualTo(
                        new Grant.NotFree(
                                lease.reservations().get(1),
                                "host-2 is in the hands of reservation " + old.reservation()));
        assertThat(world.claims(lease.reservation())).isEmpty();
        assertThat(world.holders()).containsExactly(2L);
        // Whoever only waits for it does not need it yet.
        assertThat(settle(lease(hours(0, 1), hosts(1, 1)), false, Map.of(2L, 1)))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void slots_of_one_host_are_in_many_hands_and_a_whole_host_is_in_one() {
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
    void slots_stay_where_they_are() {
        world.withHosts(2);
        Wishes.Some lease = lease(hours(0, 2), slots(3, 8));
        Grant.Held held = (Grant.Held) settle(lease, true, Map.of(1L, 1, 2L, 2));
        assertThat(slots(held.allocations().get(lease.reservation())))
                .isEqualTo(Map.of(1L, 1, 2L, 2));
        assertThat(settle(lease(hours(1, 2), slots(6, 8)), false, Map.of(2L, 6)))
                .isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_host_that_was_sold_beyond_what_it_has_is_named() {
        world.withHosts(1);
        settle(lease(hours(0, 2), slots(5, 8)), true, Map.of(1L, 5));
        Wishes.Some lease = lease(hours(1, 3), slots(4, 8));
        assertThat(settle(lease, false, Map.of(1L, 4)))
                .isEqualTo(
                        new Grant.NotFree(
                                lease.reservation(),
                                "host-1 has room for 3 slots of {VCPU=8}, not for 4"));
        assertThat(world.claims(lease.reservation())).isEmpty();
    }

    /** As the decider does: what is not held as a whole leaves no trace. */
    @SafeVarargs
    private Grant settle(Wishes.Some lease, boolean runs, Map<Long, Integer>... slots) {
        return world.command(
                () ->
                        calendar.settle(
                                adopt(lease, runs, slots),
                                answer -> answer,
                                answer -> answer instanceof Grant.Held));
    }

    @SafeVarargs
    private static Adopt adopt(Wishes.Some lease, boolean runs, Map<Long, Integer>... slots) {
        List<Adopted> adopted = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            Map<ResourceId, Integer> had = new LinkedHashMap<>();
            slots[i].forEach((id, count) -> had.put(new ResourceId(id), count));
            adopted.add(
                    new Adopted(
                            lease.reservations().get(i),
                            lease.demands().get(i),
                            lease.period(),
                            had,
                            runs));
        }
        return new Adopt(lease.id(), PROJECT, adopted, NOW);
    }
}
