package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.NOON;
import static org.leasehold.command.calendar.stored.SampleRequests.having;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.ids;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The rules for changes and ends of leases that hold resources, in every calendar. */
abstract class HoldChangeContract extends HoldFixture {

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
                .isInstanceOf(Grant.HoldRefused.class);
        settle(new CalendarRequest.LetGo(other.reservation(), java.util.Set.of()));
        Grant.Held both =
                (Grant.Held)
                        settle(lease.change(hours(0, 1), hosts(2, "host-3"), List.of(2L), true));
        assertThat(ids(both.allocations().get(lease.reservation()))).containsExactly(2L, 3L);
        assertThat(world.holders()).containsExactly(2L, 3L);
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
                .isInstanceOf(Grant.HoldRefused.class);
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
        Grant.HoldRefused refusal =
                (Grant.HoldRefused)
                        settle(running.change(hours(-1, 2), hosts(1, 1), List.of(1L), true));
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

        assertThat(settle(lease.join(hosts(2, 2), List.of(1L))))
                .isInstanceOf(Grant.HoldRefused.class);

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
                .isInstanceOf(Grant.HoldRefused.class);
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
                .isInstanceOf(Grant.HoldRefused.class);
        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 1)));
        assertThat(held(lease(hours(2, 3), large))).containsExactly(2L);
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
            world.settle(
                    cleaning, new Shorten(lease.id(), lease.reservations(), hours(0, 1).end()));
        }

        assertThat(world.claims(held.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(1),
                                new LeasePeriod(NOON, NOON.plus(Duration.ofMinutes(90)))));
        assertThat(world.claims(idle.reservation()))
                .containsExactly(new Claim(new ResourceId(2), hours(0, 1)));
        assertThat(world.claims(later.reservation())).isEmpty();
        world.settle(
                cleaning,
                new CalendarRequest.GiveUp(held.id(), held.reservations(), hours(0, 1).end()));
        assertThat(world.holders()).isEmpty();
    }

    @Test
    void an_end_never_lengthens_a_claim() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        settle(lease.takeUp(settle(lease.hold())));
        settle(new Shorten(lease.id(), lease.reservations(), hours(0, 5).end()));
        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 1)));
    }
}
