package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.CalendarRequest.ReplaceFailed;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.command.calendar.stored.SampleRequests.SampleLease;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Share;

import java.util.List;
import java.util.Map;

/** The rules for replacements before the start in every calendar; hosts have 64 cores. */
abstract class ReplacementContract extends CalendarContract {

    private List<Replacement> replace(SampleLease lease, Grant held) {
        Replace request =
                new Replace(lease.id(), SampleRequests.PROJECT, lease.takeUp(held).reservations());
        return ((Grant.Replaced) settle(request)).replacements();
    }

    @Test
    void a_resource_out_of_service_is_replaced_for_the_whole_window() {
        world.withHosts(3);
        SampleLease lease = lease(hours(2, 5), hosts(2, 2));
        Grant held = settle(lease.hold());
        world.disable(1, "fan");

        List<Replacement> replacements = replace(lease, held);

        assertThat(replacements)
                .singleElement()
                .satisfies(
                        replacement -> {
                            assertThat(replacement.replaced()).isEqualTo(new ResourceId(1));
                            assertThat(replacement.by().resource()).isEqualTo(new ResourceId(3));
                            assertThat(replacement.reason())
                                    .isEqualTo("host-1 is out of service: fan");
                        });
        assertThat(world.claims(lease.reservation()))
                .containsExactlyInAnyOrder(
                        new Claim(new ResourceId(2), hours(2, 5)),
                        new Claim(new ResourceId(3), hours(2, 5)));
        assertThat(world.holders()).isEmpty();
    }

    @Test
    void a_resource_in_service_is_not_replaced() {
        world.withHosts(2);
        SampleLease lease = lease(hours(2, 5), hosts(1, 1));
        Grant held = settle(lease.hold());

        assertThat(replace(lease, held)).isEmpty();
    }

    @Test
    void each_resource_that_can_be_replaced_is_replaced() {
        world.withHosts(3);
        SampleLease lease = lease(hours(2, 5), hosts(2, 2));
        Grant held = settle(lease.hold());
        world.disable(1, "fan");
        world.disable(2, "fan");

        assertThat(replace(lease, held)).hasSize(1);

        assertThat(world.claims(lease.reservation()))
                .extracting(Claim::resource)
                .contains(new ResourceId(3))
                .hasSize(2);
    }

    @Test
    void a_resource_that_another_lease_has_in_the_window_replaces_none() {
        world.withHosts(2);
        SampleLease lease = lease(hours(2, 5), hosts(1, 1));
        Grant held = settle(lease.hold());
        settle(lease(hours(4, 6), hosts(1, 1)).hold());
        world.disable(1, "fan");

        assertThat(replace(lease, held)).isEmpty();

        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(2, 5)));
    }

    @Test
    void a_resource_that_another_lease_still_holds_may_replace_one() {
        world.withHosts(2);
        SampleLease lease = lease(hours(2, 5), hosts(1, 1));
        Grant held = settle(lease.hold());
        SampleLease running = lease(hours(0, 2), hosts(1, "host-2"));
        settle(running.takeUp(settle(running.hold())));
        world.disable(1, "fan");

        assertThat(replace(lease, held)).hasSize(1);
    }

    @Test
    void a_resource_requested_by_name_is_not_replaced() {
        world.withHosts(2);
        SampleLease lease = lease(hours(2, 5), hosts(1, "host-1"));
        Grant held = settle(lease.hold());
        world.disable(1, "fan");

        assertThat(replace(lease, held)).isEmpty();
    }

    @Test
    void a_share_moves_unchanged_to_a_resource_with_room_for_it() {
        world.withHosts(3);
        SampleLease lease = lease(hours(2, 5), slots(2, 16));
        Grant held = settle(lease.hold());
        settle(lease(hours(2, 5), hosts(1, "host-2")).hold());
        world.disable(1, "fan");

        assertThat(replace(lease, held)).hasSize(1);

        assertThat(world.claims(lease.reservation()))
                .containsExactly(
                        new Claim(
                                new ResourceId(3), hours(2, 5), new Share(2, Map.of("VCPU", 16L))));
    }

    /** Requests the replacement of the first host. */
    private Grant replaceFailed(SampleLease lease, Grant held) {
        CalendarRequest.Granted granted = lease.takeUp(held).reservations().getFirst();
        return settle(
                new ReplaceFailed(
                        lease.id(),
                        SampleRequests.PROJECT,
                        new CalendarRequest.Granted(
                                granted.reservation(),
                                granted.demands(),
                                hours(1, 5),
                                granted.allocations()),
                        new ResourceId(1)));
    }

    private Grant start(SampleLease lease) {
        Grant held = settle(lease.hold());
        settle(lease.takeUp(held));
        return held;
    }

    @Test
    void a_failed_resource_of_a_running_lease_is_replaced_and_still_held() {
        world.withHosts(3);
        SampleLease lease = lease(hours(0, 5), hosts(2, 2));
        Grant held = start(lease);
        world.disable(1, "fan");

        Grant.Held moved = (Grant.Held) replaceFailed(lease, held);

        assertThat(SampleRequests.ids(moved.allocations().get(lease.reservation())))
                .containsExactly(3L, 2L);
        assertThat(moved.tenures()).singleElement().matches(world::isCurrent);
        assertThat(world.holders()).containsExactly(1L, 2L, 3L);
        assertThat(world.claims(lease.reservation()))
                .containsExactlyInAnyOrder(
                        new Claim(new ResourceId(2), hours(1, 5)),
                        new Claim(new ResourceId(3), hours(1, 5)));
    }

    @Test
    void a_resource_with_a_holder_replaces_none_of_a_running_lease() {
        world.withHosts(2);
        SampleLease lease = lease(hours(0, 5), hosts(1, 1));
        Grant held = start(lease);
        SampleLease late = lease(hours(0, 1), hosts(1, 1));
        start(late);
        world.disable(1, "fan");

        assertThat(replaceFailed(lease, held))
                .isEqualTo(
                        new Grant.Unserviceable(
                                lease.reservation(), "host-1 is out of service: fan"));
        assertThat(world.claims(lease.reservation()))
                .containsExactly(new Claim(new ResourceId(1), hours(0, 5)));
    }

    @Test
    void a_resource_back_in_service_is_not_replaced() {
        world.withHosts(2);
        SampleLease lease = lease(hours(0, 5), hosts(1, 1));

        Grant.Held same = (Grant.Held) replaceFailed(lease, start(lease));

        assertThat(same.tenures()).isEmpty();
        assertThat(SampleRequests.ids(same.allocations().get(lease.reservation())))
                .containsExactly(1L);
    }

    @Test
    void a_failed_share_of_a_running_lease_is_replaced() {
        world.withHosts(2);
        SampleLease lease = lease(hours(0, 5), slots(2, 16));
        Grant held = start(lease);
        world.disable(1, "fan");

        Grant.Held moved = (Grant.Held) replaceFailed(lease, held);

        assertThat(SampleRequests.slots(moved.allocations().get(lease.reservation())))
                .isEqualTo(Map.of(2L, 2));
    }
}
