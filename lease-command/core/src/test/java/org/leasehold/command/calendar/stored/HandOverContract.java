package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Tenure;

import java.util.Set;

/** The rules for the hand-over of resources in every calendar. */
abstract class HandOverContract extends CalendarContract {

    @Test
    void each_reservation_gets_one_tenure() {
        world.withHosts(3);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, 2), hosts(1, 1));
        Grant.TakenUp taken = takeUp(lease);
        assertThat(taken.replacements()).isEmpty();
        assertThat(taken.tenures())
                .extracting(Tenure::reservation)
                .containsExactlyElementsOf(lease.reservations());
        assertThat(taken.tenures()).allMatch(world::isCurrent);
    }

    @Test
    void a_repeated_start_renews_the_tenure() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        Grant held = settle(lease.hold());
        Tenure first = ((Grant.TakenUp) settle(lease.takeUp(held))).tenures().getFirst();
        Tenure second = ((Grant.TakenUp) settle(lease.takeUp(held))).tenures().getFirst();
        assertThat(second.generation()).isGreaterThan(first.generation());
        assertThat(world.isCurrent(first)).isFalse();
        assertThat(world.isCurrent(second)).isTrue();
    }

    @Test
    void a_release_ends_the_tenure() {
        world.withHosts(1);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        assertThat(world.leaseOf(lease.reservation())).isEmpty();
        Tenure tenure = takeUp(lease).tenures().getFirst();
        assertThat(world.leaseOf(lease.reservation())).contains(lease.hold().lease());
        settle(new LetGo(lease.reservation(), Set.of()));
        assertThat(world.isCurrent(tenure)).isFalse();
        assertThat(world.leaseOf(lease.reservation())).isEmpty();
    }

    @Test
    void a_resource_out_of_service_is_replaced_and_the_claim_moves() {
        world.withHosts(3);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(1, 1));
        Grant held = settle(lease.hold());
        settle(lease(hours(0, 1), hosts(1, 1)).hold());
        world.disable(1, "fan");
        Grant.TakenUp taken = (Grant.TakenUp) settle(lease.takeUp(held));
        assertThat(taken.replacements())
                .singleElement()
                .satisfies(
                        replacement -> {
                            assertThat(replacement.replaced()).isEqualTo(new ResourceId(1));
                            assertThat(replacement.by().resource()).isEqualTo(new ResourceId(3));
                            assertThat(replacement.reason())
                                    .isEqualTo("host-1 is out of service: fan");
                        });
        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(3), hours(0, 1)));
        assertThat(world.isCurrent(taken.tenures().getFirst())).isTrue();
    }

    @Test
    void a_start_fails_if_no_resource_replaces_one_out_of_service() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 1), hosts(2, 2));
        Grant held = settle(lease.hold());
        world.disable(2, "fan");
        assertThat(settle(lease.takeUp(held)))
                .isEqualTo(
                        new Grant.Unserviceable(
                                lease.reservation(), "host-2 is out of service: fan"));
        assertThat(world.holders()).isEmpty();
    }

    @Test
    void a_failed_start_that_ends_the_lease_frees_the_resources_from_then_on() {
        world.withHosts(2);
        SampleRequests.SampleLease lease = lease(hours(0, 3), hosts(2, 2));
        Grant held = settle(lease.hold());
        CalendarRequest.TakeUp start = lease.takeUp(held);
        world.disable(2, "fan");
        SampleRequests.SampleLease early = lease(hours(0, 2), hosts(1, "host-1"));
        SampleRequests.SampleLease later = lease(hours(1, 3), hosts(1, "host-1"));
        assertThat(settle(start)).isInstanceOf(Grant.Unserviceable.class);
        assertThat(settle(later.hold())).isInstanceOf(Grant.HoldRefused.class);

        CalendarRequest.TakeUp release =
                new CalendarRequest.TakeUp(
                        start.lease(),
                        start.project(),
                        start.reservations(),
                        start.waits(),
                        hours(1, 2).start());
        assertThat(settle(release)).isInstanceOf(Grant.Unserviceable.class);
        assertThat(world.holders()).isEmpty();
        assertThat(world.claims(lease.reservation()))
                .contains(new Claim(new ResourceId(1), hours(0, 1)));
        assertThat(settle(early.hold())).isInstanceOf(Grant.HoldRefused.class);
        assertThat(settle(later.hold())).isInstanceOf(Grant.Held.class);
    }

    @Test
    void a_start_waits_for_a_resource_that_another_reservation_holds() {
        world.withHosts(2);
        SampleRequests.SampleLease before = lease(hours(0, 1), hosts(1, 1));
        takeUp(before);
        SampleRequests.SampleLease after = lease(hours(1, 2), hosts(2, 2));
        Grant held = settle(after.hold());
        assertThat(settle(after.takeUp(held)))
                .isEqualTo(
                        new Grant.Awaited(
                                java.util.List.of(before.reservation()),
                                "host-1 is still in the hands of reservation "
                                        + before.reservation()));
        assertThat(world.holders()).hasSize(1);
        settle(new LetGo(before.reservation(), Set.of()));
        assertThat(settle(after.takeUp(held))).isInstanceOf(Grant.TakenUp.class);
    }

    @Test
    void a_held_resource_is_replaced_by_a_free_one_at_the_start() {
        world.withHosts(2);
        takeUp(lease(hours(0, 1), hosts(1, 1)));
        SampleRequests.SampleLease after = lease(hours(1, 2), hosts(1, 1));
        Grant.TakenUp taken = takeUp(after);
        assertThat(taken.replacements()).hasSize(1);
        assertThat(world.claims(after.reservation()))
                .containsExactly(new Claim(new ResourceId(2), hours(1, 2)));
    }

    @Test
    void a_named_resource_is_awaited_and_not_replaced() {
        world.withHosts(3);
        SampleRequests.SampleLease before = lease(hours(0, 1), hosts(1, "host-2"));
        takeUp(before);
        SampleRequests.SampleLease after = lease(hours(1, 2), hosts(1, "host-2"));
        Grant held = settle(after.hold());
        assertThat(settle(after.takeUp(held))).isInstanceOf(Grant.Awaited.class);
        settle(new LetGo(before.reservation(), Set.of()));
        world.disable(2, "fan");
        assertThat(settle(after.takeUp(held))).isInstanceOf(Grant.Unserviceable.class);
        world.enable(2);
        assertThat(((Grant.TakenUp) settle(after.takeUp(held))).replacements()).isEmpty();
    }

    private Grant.TakenUp takeUp(SampleRequests.SampleLease lease) {
        return (Grant.TakenUp) settle(lease.takeUp(settle(lease.hold())));
    }
}
