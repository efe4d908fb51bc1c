package org.leasehold.resource.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The starts, the adjustments and the ends of reservations. */
class SimulatedHostsTest extends SimulatedHostsFixture {

    @Test
    void a_started_reservation_is_an_aggregate_with_zone_owner_and_hosts() {
        Assignment assignment = assignment("compute-1", "compute-2");

        assertThat(acting().onStart(assignment)).isEqualTo(started(assignment));

        assertThat(cloud.aggregate(assignment.reservation()))
                .contains(
                        new SimulatedCloud.Aggregate(
                                assignment.reservation().toString(),
                                "blazar_" + assignment.reservation(),
                                Map.of("blazar:owner", PROJECT.value()),
                                List.of("compute-1", "compute-2")));
        assertThat(cloud.freepool()).hasSize(6).doesNotContain("compute-1", "compute-2");
    }

    @Test
    void a_start_deletes_preemptible_servers_only_on_the_assigned_hosts() {
        bootPreemptible("gone", "compute-1");
        bootPreemptible("stays", "compute-2");

        acting().onStart(assignment("compute-1"));

        assertThat(cloud.servers()).extracting(SimulatedHost.Server::name).containsOnly("stays");
    }

    @Test
    void a_repeated_start_keeps_the_project_servers() {
        Assignment assignment = assignment("compute-1");
        acting().onStart(assignment);
        boot("mine", assignment);

        acting().onStart(assignment);

        assertThat(cloud.servers()).extracting(SimulatedHost.Server::name).containsOnly("mine");
    }

    @Test
    void only_the_owner_boots_servers_on_a_reservation() {
        Assignment assignment = assignment("compute-1");
        acting().onStart(assignment);

        assertThat(cloud.boot("theirs", STRANGER, assignment.reservation())).isEmpty();
        assertThat(cloud.bootPreemptible("theirs", STRANGER, "compute-1")).isEmpty();
        assertThat(cloud.boot("mine", PROJECT, assignment.reservation()))
                .hasValueSatisfying(server -> assertThat(server.host()).isEqualTo("compute-1"));
        assertThat(cloud.boot("mine", PROJECT, new ReservationId(UUID.randomUUID()))).isEmpty();
    }

    @Test
    void an_end_deletes_the_servers_and_returns_the_hosts_to_the_freepool() {
        Assignment assignment = assignment("compute-1", "compute-2");
        acting().onStart(assignment);
        boot("a", assignment);
        boot("b", assignment);

        assertThat(acting().onEnd(assignment)).isEqualTo(new Result.Done());

        assertThat(cloud.servers()).isEmpty();
        assertThat(cloud.freepool()).hasSize(8);
        assertThat(cloud.aggregate(assignment.reservation())).isEmpty();
    }

    @Test
    void an_end_succeeds_but_a_start_fails_on_a_host_that_is_down() {
        Assignment running = assignment("compute-1");
        acting().onStart(running);
        cloud.setHostUp("compute-1", false);
        cloud.setHostUp("compute-2", false);

        assertThat(acting().onEnd(running)).isEqualTo(new Result.Done());
        assertThat(acting().onStart(assignment("compute-2")))
                .isEqualTo(
                        new Result.Failed(
                                new Fault(
                                        Fault.Kind.INSUFFICIENT_RESOURCES,
                                        "The host compute-2 is down")));
    }

    @Test
    void a_start_is_retryable_while_the_host_is_not_in_the_freepool() {
        acting().retire(new ResourceId(8), "compute-8");

        assertThat(acting().onStart(assignment("compute-8")))
                .isEqualTo(
                        new Result.Failed(
                                new Fault(
                                        Fault.Kind.RETRYABLE,
                                        "The host compute-8 is not in the freepool")));
    }

    @Test
    void a_snapshot_is_made_of_each_server_once_and_outlives_the_reservation() {
        Assignment assignment = assignment(Map.of("before_end", "snapshot"), "compute-1");
        acting().onStart(assignment);
        boot("db", assignment);
        boot("web", assignment);

        acting().beforeEnd(assignment);
        acting().beforeEnd(assignment);
        acting().onEnd(assignment);

        assertThat(cloud.images())
                .extracting(SimulatedCloud.Image::name)
                .containsExactly("reserved_db", "reserved_web");
    }

    @Test
    void a_snapshot_is_made_only_on_request() {
        Assignment assignment = assignment(Map.of("before_end", "default"), "compute-1");
        acting().onStart(assignment);
        boot("db", assignment);

        assertThat(acting().beforeEnd(assignment)).isEqualTo(new Result.Done());

        assertThat(cloud.images()).isEmpty();
    }

    @Test
    void an_adjustment_keeps_the_servers_on_the_hosts_that_stay() {
        Assignment assignment = assignment("compute-1", "compute-2");
        acting().onStart(assignment);
        boot("stays", assignment);
        boot("goes", assignment);

        acting().onAdjust(again(assignment, "compute-1", "compute-3"), allocations("compute-2"));

        assertThat(cloud.servers())
                .extracting(SimulatedHost.Server::name, SimulatedHost.Server::host)
                .containsExactly(tuple("stays", "compute-1"));
        assertThat(cloud.aggregate(assignment.reservation()).orElseThrow().hosts())
                .containsExactly("compute-1", "compute-3");
        assertThat(cloud.freepool()).contains("compute-2").doesNotContain("compute-3");
    }

    private static Assignment again(Assignment old, String... hosts) {
        return new Assignment(
                        old.lease(),
                        old.reservation(),
                        old.project(),
                        old.user(),
                        old.period(),
                        old.parameters(),
                        allocations(hosts))
                .withFence(old.fence());
    }

    @Test
    void an_end_with_a_stale_fencing_token_stops_before_the_next_step() throws Exception {
        AtomicBoolean current = new AtomicBoolean(true);
        Assignment predecessor = assignment("compute-1", "compute-2");
        acting().onStart(predecessor);
        cloud.addBehaviorRule(BehaviorRule.slow("end.remove_host", Duration.ofSeconds(2)).times(1));
        Assignment successor = assignment("compute-1", "compute-2");
        try (ExecutorService sleeper = Executors.newSingleThreadExecutor()) {
            Future<Result> late =
                    sleeper.submit(() -> acting().onEnd(fenced(predecessor, current::get)));
            await(() -> operations(predecessor).contains("enter_freepool"));
            current.set(false);
            acting().onEnd(predecessor);
            acting().onStart(successor);
            assertThat(cloud.boot("web", PROJECT, successor.reservation())).isPresent();

            assertThat(late.get()).isInstanceOf(Result.Failed.class);
        }

        assertThat(operations(predecessor)).filteredOn("enter_freepool"::equals).hasSize(2);
        assertThat(operations(predecessor)).filteredOn("remove_host"::equals).hasSize(2);
        assertThat(cloud.servers()).extracting(SimulatedHost.Server::name).containsExactly("web");
        assertThat(acting().inspect(successor.reservation()))
                .contains("host/compute-1", "host/compute-2");
        assertThat(cloud.freepool()).doesNotContain("compute-1", "compute-2");
    }

    private List<String> operations(Assignment assignment) {
        return cloud.effects(assignment.reservation()).stream()
                .map(SimulatedCloud.Effect::operation)
                .toList();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private static Assignment fenced(Assignment old, Acting.Fence fence) {
        return old.withFence(fence);
    }
}
