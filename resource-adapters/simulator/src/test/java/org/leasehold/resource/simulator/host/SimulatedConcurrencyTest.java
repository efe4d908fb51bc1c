package org.leasehold.resource.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.simulator.cloud.CloudDatabase;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The calls of several nodes at the same time, and after a restart. */
class SimulatedConcurrencyTest extends SimulatedHostsFixture {

    @Test
    void a_new_plugin_instance_finds_the_stored_state_of_the_cloud() {
        Assignment assignment = assignment("compute-1");
        acting().onStart(assignment);
        plugin.close();

        try (ResourcePlugin other = new SimulatedHostsProvider().create(settings)) {
            assertThat(other.acting().inspect(assignment.reservation()))
                    .containsExactly("aggregate/" + assignment.reservation(), "host/compute-1");
        }
    }

    @Test
    void several_nodes_can_create_the_cloud_concurrently() throws Exception {
        Map<String, String> empty = database.newCloud();
        Callable<Result> node =
                () -> {
                    try (ResourcePlugin ownPlugin = new SimulatedHostsProvider().create(empty)) {
                        return ownPlugin.acting().enrol(new ResourceId(1), "compute-1");
                    }
                };

        assertThat(allAtOnce(List.of(node, node, node, node))).containsOnly(new Result.Done());

        try (SimulatedCloud made = CloudDatabase.connect(empty)) {
            assertThat(made.hosts()).hasSize(8);
            assertThat(made.freepool()).containsExactly("compute-1");
        }
    }

    private static <T> List<T> allAtOnce(List<Callable<T>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> done : threads.invokeAll(work)) {
                results.add(done.get());
            }
            return results;
        }
    }

    @Test
    void concurrent_starts_never_get_the_same_host() throws Exception {
        for (int round = 0; round < 10; round++) {
            List<Assignment> rivals =
                    Stream.generate(() -> assignment("compute-1", "compute-2")).limit(4).toList();
            List<Callable<Result>> starts = new ArrayList<>();
            rivals.forEach(rival -> starts.add(() -> acting().onStart(rival)));

            List<Result> results = allAtOnce(starts);

            assertThat(results)
                    .filteredOn(Result.Done.class::isInstance)
                    .hasSizeLessThanOrEqualTo(1);
            List<String> given =
                    rivals.stream()
                            .map(rival -> cloud.aggregate(rival.reservation()).orElseThrow())
                            .flatMap(aggregate -> aggregate.hosts().stream())
                            .toList();
            assertThat(given).doesNotHaveDuplicates();
            rivals.forEach(rival -> acting().onEnd(rival));
            assertThat(cloud.freepool()).hasSize(8);
        }
    }

    @Test
    void an_end_deletes_servers_that_boot_concurrently() throws Exception {
        for (int round = 0; round < 20; round++) {
            Assignment assignment = assignment("compute-1");
            acting().onStart(assignment);
            List<Callable<Object>> race = new ArrayList<>();
            race.add(() -> acting().onEnd(assignment));
            IntStream.range(0, 3)
                    .forEach(
                            server ->
                                    race.add(
                                            () ->
                                                    cloud.boot(
                                                            "server-" + server,
                                                            PROJECT,
                                                            assignment.reservation())));

            allAtOnce(race);

            assertThat(cloud.servers()).isEmpty();
        }
    }
}
