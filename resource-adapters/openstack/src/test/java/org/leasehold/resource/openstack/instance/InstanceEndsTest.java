package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.compute.FakeGuest;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The ends of reservations of instances. */
class InstanceEndsTest extends OpenStackInstancesFixture {

    @Test
    void an_end_keeps_another_reservation_on_the_same_host() {
        Assignment one = assignment(slots("compute-1", 2));
        Assignment other = assignment(slots("compute-1", 3));
        acting.onStart(one);
        acting.onStart(other);
        List<String> before = acting.inspect(other.reservation());
        boots(other, PROJECT.value());

        assertThat(acting.onEnd(one)).isEqualTo(DONE);

        assertThat(acting.inspect(other.reservation()))
                .containsAll(before)
                .contains("server/of project-1");
        assertThat(nova.placement().entry("blazar_compute-1").totals())
                .containsOnly(Map.entry(classOf(other), 3L));
    }

    @Test
    void an_end_deletes_all_servers_in_the_slots_and_keeps_other_servers() {
        Assignment assignment = assignment(slots("compute-1", 2));
        acting.onStart(assignment);
        nova.flavor(assignment.reservation().toString()).projects.add("a guest's project");
        boots(assignment, PROJECT.value());
        boots(assignment, "a guest's project");
        nova.boot("another project's", STRANGER, "compute-1");

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.guests()).containsExactly("another project's");
        assertThat(acting.inspect(assignment.reservation())).isEmpty();
        assertThat(nova.flavors()).isEmpty();
        assertThat(nova.groupNames()).containsExactly("freepool");
        assertThat(nova.placement().classes()).isEmpty();
        assertThat(nova.placement().entry("blazar_compute-1").totals()).isEmpty();
    }

    @Test
    void an_end_waits_until_placement_frees_the_slots() {
        Assignment assignment = assignment(slots("compute-1", 2));
        acting.onStart(assignment);
        boots(assignment, PROJECT.value());
        nova.placement().beSlow();

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.placement().classes()).isEmpty();
    }

    @Test
    void an_unfinished_end_names_remaining_servers_and_blocks_new_ones() {
        Assignment assignment = assignment(slots("compute-1", 2));
        acting.onStart(assignment);
        FakeGuest stubborn =
                nova.boot("stubborn", PROJECT.value(), assignment.reservation()).orElseThrow();
        stubborn.stubborn = true;

        assertThat(acting(FakePollingTime.looks(10)).onEnd(assignment))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> {
                            assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE);
                            assertThat(failed.fault().message()).contains("stubborn");
                            assertThat(failed.fault().forHolder().message())
                                    .endsWith("is still a number of servers: 1")
                                    .doesNotContain("stubborn");
                        });
        // Not even a project that an administrator adds again.
        nova.flavor(assignment.reservation().toString()).projects.add(STRANGER);
        assertThat(boots(assignment, STRANGER)).isFalse();
        stubborn.stubborn = false;

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);
    }

    @Test
    void an_end_frees_slots_on_hosts_missing_from_the_assignment() {
        Assignment assignment = assignment(slots("compute-1", 1));
        acting.onStart(assignment);
        acting.onAdjust(again(assignment, slots("compute-1", 1), slots("compute-2", 1)), List.of());

        assertThat(acting.onEnd(assignment)).isEqualTo(DONE);

        assertThat(nova.placement().entry("blazar_compute-2").totals()).isEmpty();
        assertThat(nova.placement().classes()).isEmpty();
    }

    @Test
    void an_end_without_the_flavor_deletes_the_servers_in_the_slots() {
        Assignment slots = assignment(slots("compute-1", 1));
        acting.onStart(slots);
        assertThat(nova.boot("in a slot", PROJECT.value(), slots.reservation())).isPresent();
        nova.boot("beside", PROJECT.value(), "compute-1");
        nova.forgetFlavor(slots.reservation().toString());

        assertThat(acting.onEnd(slots)).isEqualTo(DONE);

        assertThat(nova.guests()).containsExactly("beside");
        assertThat(acting.inspect(slots.reservation())).isEmpty();
    }

    @Test
    void an_end_without_the_aggregate_frees_slots_on_leaving_hosts() {
        Assignment slots = assignment(slots("compute-1", 1), slots("compute-2", 1));
        acting.onStart(slots);
        nova.forgetGroup(slots.reservation().toString());

        assertThat(acting.onEnd(again(slots, slots("compute-1", 1)))).isEqualTo(DONE);

        assertThat(acting.survey()).isEqualTo(new Survey.Seen(Map.of()));
    }

    @Test
    void an_end_without_the_provider_of_slots_deletes_everything_else() {
        Assignment slots = assignment(slots("compute-1", 1), slots("compute-2", 1));
        acting.onStart(slots);
        nova.placement().forget("blazar_compute-1");

        assertThat(acting.onEnd(slots)).isEqualTo(DONE);

        assertThat(acting.inspect(slots.reservation())).isEmpty();
    }

    @Test
    void a_call_makes_no_changes_after_the_fencing_token_is_stale() {
        Assignment started = assignment(slots("compute-1", 1));
        acting.onStart(started);
        AtomicInteger left = new AtomicInteger(2);
        long before = changes();

        assertRetryable(acting.onEnd(fenced(started, () -> left.getAndDecrement() > 0)));

        assertThat(changes() - before).isEqualTo(2);
    }

    private static Assignment fenced(Assignment old, Acting.Fence fence) {
        return old.withFence(fence);
    }

    private long changes() {
        return nova.requests().stream().filter(request -> !request.startsWith("GET")).count();
    }
}
