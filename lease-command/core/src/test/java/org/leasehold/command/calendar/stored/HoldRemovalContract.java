package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.ids;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The rules for the removal of reservations from a lease, in every calendar. */
abstract class HoldRemovalContract extends HoldFixture {

    @Test
    void a_hold_gets_the_room_of_a_removed_reservation() {
        world.withHosts(3);
        SampleRequests.SampleLease lease = lease(hours(0, 8), hosts(2, 2), hosts(1, 1));
        settle(lease.hold());

        Grant.Held held = (Grant.Held) settle(replaced(lease, hosts(3, 3), hours(0, 8).start()));

        assertThat(ids(held.allocations().get(lease.reservation())))
                .containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(world.claims(lease.reservations().getLast())).isEmpty();
    }

    @Test
    void a_refused_hold_leaves_the_reservations_to_remove_as_they_are() {
        world.withHosts(3);
        SampleRequests.SampleLease lease = lease(hours(0, 8), hosts(2, 2), hosts(1, 1));
        settle(lease.hold());

        Grant.HoldRefused refused =
                (Grant.HoldRefused) settle(replaced(lease, hosts(4, 4), hours(0, 8).start()));

        assertThat(refused.shortages())
                .extracting(Shortage::wanted, Shortage::free)
                .containsExactly(tuple(4, 3));
        assertThat(world.claims(lease.reservations().getLast()))
                .containsExactly(new Claim(new ResourceId(3), hours(0, 8)));
        assertThat(world.claims(lease.reservation())).hasSize(2);
    }

    @Test
    void a_removed_reservation_that_has_resources_keeps_them_for_the_cleaning() {
        world.withHosts(2);
        Calendar cleaning = world.calendar(Duration.ofMinutes(30));
        SampleRequests.SampleLease lease = lease(hours(0, 8), hosts(1, 1), hosts(1, 1));
        world.settle(cleaning, lease.takeUp(world.settle(cleaning, lease.hold())));
        Instant removedAt = hours(1, 2).start();
        Wanted growing =
                new Wanted(
                        lease.reservation(),
                        hosts(2, 2),
                        new LeasePeriod(removedAt, hours(0, 8).end()),
                        List.of(new ResourceId(1)),
                        true);
        Hold exchange =
                new Hold(
                        lease.id(),
                        SampleRequests.PROJECT,
                        List.of(growing),
                        removal(lease, removedAt));

        assertThat(world.settle(cleaning, exchange)).isInstanceOf(Grant.HoldRefused.class);
        assertThat(world.claims(lease.reservations().getLast())).hasSize(1);

        world.settle(cleaning, removal(lease, removedAt));

        LeasePeriod rest = new LeasePeriod(NOON, removedAt.plus(Duration.ofMinutes(30)));
        assertThat(world.claims(lease.reservations().getLast()))
                .containsExactly(new Claim(new ResourceId(2), rest));
        SampleRequests.SampleLease later =
                lease(new LeasePeriod(rest.end(), hours(0, 3).end()), hosts(1, 1));
        assertThat(world.settle(cleaning, later.hold())).isInstanceOf(Grant.Held.class);
    }

    @Test
    void the_end_of_a_lease_leaves_the_cleaning_after_a_removal() {
        world.withHosts(2);
        Calendar cleaning = world.calendar(Duration.ofMinutes(30));
        SampleRequests.SampleLease lease = lease(hours(0, 8), hosts(1, 1), hosts(1, 1));
        world.settle(cleaning, lease.takeUp(world.settle(cleaning, lease.hold())));
        ReservationId removed = lease.reservations().getLast();
        world.settle(cleaning, removal(lease, hours(0, 1).end()));
        world.settle(cleaning, new LetGo(removed, Set.of()));

        world.settle(
                cleaning,
                new Shorten(
                        lease.id(),
                        List.of(lease.reservation()),
                        hours(0, 1).end().plus(Duration.ofMinutes(10))));

        assertThat(world.claims(removed))
                .containsExactly(
                        new Claim(
                                new ResourceId(2),
                                new LeasePeriod(NOON, NOON.plus(Duration.ofMinutes(90)))));
    }

    /** Returns a request that grows the first reservation, and removes the last one. */
    private static Hold replaced(SampleRequests.SampleLease lease, Demand grown, Instant at) {
        Wanted growing =
                new Wanted(
                        lease.reservation(),
                        grown,
                        lease.period(),
                        List.of(new ResourceId(1), new ResourceId(2)),
                        false);
        return new Hold(lease.id(), SampleRequests.PROJECT, List.of(growing), removal(lease, at));
    }

    private static Shorten removal(SampleRequests.SampleLease lease, Instant at) {
        return new Shorten(lease.id(), List.of(lease.reservations().getLast()), at);
    }
}
