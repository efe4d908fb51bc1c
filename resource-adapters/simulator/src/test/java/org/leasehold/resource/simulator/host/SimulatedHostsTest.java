package org.leasehold.resource.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.LoadResult.Load;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.SimulatedHost;
import org.leasehold.resource.simulator.cloud.CloudDatabase;
import org.leasehold.resource.simulator.cloud.CloudReport;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class SimulatedHostsTest {

    private static final ProjectId PROJECT = new ProjectId("project-1");
    private static final ProjectId STRANGER = new ProjectId("project-2");

    private final CloudDatabase database = new CloudDatabase();

    private Map<String, String> settings;
    private ResourcePlugin plugin;
    private SimulatedCloud cloud;

    @BeforeEach
    void startCloud() {
        settings = database.newCloud();
        plugin = new SimulatedHostsProvider().create(settings);
        cloud = CloudDatabase.connect(settings);
        for (SimulatedHost host : cloud.hosts()) {
            acting().enrol(new ResourceId(host.id()), host.hypervisorHostname());
        }
    }

    @AfterEach
    void stopCloud() {
        cloud.close();
        plugin.close();
        database.close();
    }

    @Test
    void a_host_is_found_by_the_full_name_and_by_the_number() {
        Discovery byName = acting().discover("compute-2");

        assertThat(byName).isInstanceOf(Discovery.Found.class);
        assertThat(acting().discover("2")).isEqualTo(byName);
        assertThat(acting().discover("compute")).isEqualTo(new Discovery.NotFound());
        Discovery.Found found = (Discovery.Found) byName;
        assertThat(found.zone()).isEqualTo("az2");
        assertThat(found.attributes())
                .containsEntry("hypervisor_hostname", "compute-2")
                .containsEntry("service_name", "compute-2")
                .containsEntry("hypervisor_type", "QEMU")
                .containsEntry("hypervisor_version", 8_002_002)
                .containsEntry("vcpus", 16)
                .containsEntry("memory_mb", 65_536)
                .containsEntry("local_gb", 1_000)
                .containsKey("cpu_info");
    }

    @Test
    void every_fourth_host_is_a_large_one() {
        assertThat(cloud.hosts())
                .filteredOn(host -> host.memoryMb() == 262_144)
                .extracting(SimulatedHost::hypervisorHostname)
                .containsExactly("compute-4", "compute-8");
    }

    @Test
    void the_running_load_is_reported_for_busy_and_idle_hosts() {
        bootPreemptible("web", "compute-1");
        bootPreemptible("mail", "compute-1");
        bootPreemptible("elsewhere", "compute-3");

        assertThat(acting().readLoads(List.of("compute-1", "compute-2")))
                .isEqualTo(
                        new LoadResult.Known(
                                Map.of(
                                        "compute-1",
                                        new Load(2, 2 * SimulatedHosts.VCPUS_PER_SERVER),
                                        "compute-2",
                                        Load.NONE)));
    }

    @Test
    void a_host_with_servers_on_it_is_in_use() {
        bootPreemptible("web", "compute-1");

        assertThat(acting().discover("compute-1"))
                .isEqualTo(new Discovery.InUse("compute-1", List.of("web")));
    }

    @Test
    void a_host_is_unknown_while_the_cloud_does_not_answer() {
        cloud.addBehaviorRule(BehaviorRule.failing("discover", InjectedFault.UNAVAILABLE));

        assertThat(acting().discover("compute-1")).isInstanceOf(Discovery.Unknown.class);
    }

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
    void an_inventory_reports_down_hosts_and_changed_attributes() {
        cloud.setHostUp("compute-1", false);
        cloud.setMemory("compute-2", 1_024);

        InventoryResult.Known known =
                (InventoryResult.Known)
                        acting().inventory(List.of("compute-1", "compute-2", "compute-99"));

        assertThat(known.outages())
                .isEqualTo(
                        Map.of(
                                "compute-1",
                                Outage.down("it is down"),
                                "compute-99",
                                Outage.down("it does not exist")));
        assertThat(known.found()).containsOnlyKeys("compute-2");
        assertThat(known.found().get("compute-2").attributes()).containsEntry("memory_mb", 1_024);
        cloud.addBehaviorRule(BehaviorRule.failing("inventory", InjectedFault.UNAVAILABLE));
        assertThat(acting().inventory(List.of("compute-1")))
                .isInstanceOf(InventoryResult.Unknown.class);
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

    @Test
    void each_change_takes_effect_exactly_once_despite_retries() {
        Assignment assignment = assignment("compute-1");
        cloud.addBehaviorRule(BehaviorRule.failing("*.*", InjectedFault.TIME_OUT_AFTER));

        int calls = 1;
        while (acting().onStart(assignment) instanceof Result.Failed) {
            calls++;
        }
        cloud.clearBehaviorRules();
        acting().onEnd(assignment);
        acting().onEnd(assignment);

        assertThat(calls).isEqualTo(4);
        assertThat(cloud.effects(assignment.reservation()))
                .extracting(SimulatedCloud.Effect::operation)
                .containsExactly(
                        "create_aggregate",
                        "add_host",
                        "leave_freepool",
                        "enter_freepool",
                        "remove_host",
                        "delete_aggregate");
    }

    @Test
    void each_injected_fault_maps_to_a_fault_kind() {
        assertThat(faultOf(InjectedFault.REFUSE)).isEqualTo(Fault.Kind.DENIED);
        assertThat(faultOf(InjectedFault.EXHAUSTED)).isEqualTo(Fault.Kind.INSUFFICIENT_RESOURCES);
        assertThat(faultOf(InjectedFault.BROKEN)).isEqualTo(Fault.Kind.PERMANENT);
        assertThat(faultOf(InjectedFault.UNAVAILABLE)).isEqualTo(Fault.Kind.RETRYABLE);
        assertThat(faultOf(InjectedFault.TIME_OUT_BEFORE)).isEqualTo(Fault.Kind.RETRYABLE);
        assertThat(faultOf(InjectedFault.TIME_OUT_AFTER)).isEqualTo(Fault.Kind.RETRYABLE);
    }

    @Test
    void a_behavior_rule_applies_only_to_one_host_and_a_number_of_calls() {
        cloud.addBehaviorRule(
                BehaviorRule.failing("start.add_host", InjectedFault.UNAVAILABLE)
                        .onHost("compute-2")
                        .withSkip(1)
                        .times(2));

        Assignment first = assignment("compute-1");
        assertThat(acting().onStart(first)).isEqualTo(started(first));
        Assignment second = assignment("compute-2");
        assertThat(acting().onStart(second)).as("is let pass").isEqualTo(started(second));
        acting().onEnd(second);
        Assignment third = assignment("compute-2");
        assertThat(acting().onStart(third)).isInstanceOf(Result.Failed.class);
        assertThat(acting().onStart(third)).isInstanceOf(Result.Failed.class);
        assertThat(acting().onStart(third)).isEqualTo(started(third));
    }

    @Test
    void a_behavior_rule_with_probability_zero_never_applies() {
        cloud.addBehaviorRule(BehaviorRule.failing("*", InjectedFault.BROKEN).withProbability(0));

        Assignment assignment = assignment("compute-1");
        assertThat(acting().onStart(assignment)).isEqualTo(started(assignment));
    }

    @Test
    void a_slow_operation_takes_at_least_the_configured_time() {
        cloud.addBehaviorRule(BehaviorRule.slow("start", Duration.ofMillis(150)));

        long before = System.nanoTime();
        acting().onStart(assignment("compute-1"));

        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isGreaterThanOrEqualTo(Duration.ofMillis(150));
    }

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

    @Test
    void the_report_lists_reservations_servers_and_operations() {
        Assignment assignment = assignment("compute-1");
        acting().onStart(assignment);
        boot("mine", assignment);

        assertThat(CloudReport.of(cloud))
                .contains(
                        "\"blazar_" + assignment.reservation() + "\"",
                        "\"name\" : \"mine\"",
                        "\"operation\" : \"add_host\"");
    }

    @Test
    void an_error_names_an_unknown_invalid_or_missing_setting() {
        assertRefused("colour", "red");
        assertRefused("hosts", "many");
        assertRefused("hosts", "-1");
        settings.remove("url");
        assertThatThrownBy(() -> new SimulatedHostsProvider().create(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("url");
    }

    private void boot(String name, Assignment assignment) {
        assertThat(cloud.boot(name, PROJECT, assignment.reservation())).isPresent();
    }

    private void bootPreemptible(String name, String host) {
        assertThat(cloud.bootPreemptible(name, STRANGER, host)).isPresent();
    }

    private void assertRefused(String key, String value) {
        @Nullable String old = settings.put(key, value);
        assertThatThrownBy(() -> new SimulatedHostsProvider().create(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
        Optional.ofNullable(old)
                .ifPresentOrElse(
                        original -> settings.put(key, original), () -> settings.remove(key));
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

    private Fault.Kind faultOf(InjectedFault misbehaviour) {
        cloud.addBehaviorRule(BehaviorRule.failing("start", misbehaviour));
        Result result = acting().onStart(assignment("compute-1"));
        cloud.clearBehaviorRules();
        acting().onEnd(assignment("compute-1"));
        return ((Result.Failed) result).fault().kind();
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

    /** Returns the result of a start, with the id of its aggregate. */
    private static Result started(Assignment assignment) {
        return new Result.Done(
                Map.of(
                        "aggregate_id",
                        assignment.reservation().value().hashCode() & Integer.MAX_VALUE));
    }

    private static Assignment assignment(String... hosts) {
        return assignment(Map.of(), hosts);
    }

    private static Assignment assignment(
            Map<String, @Nullable Object> parameters, String... hosts) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                new ReservationId(UUID.randomUUID()),
                PROJECT,
                new UserId("user-1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                parameters,
                allocations(hosts));
    }

    private static Assignment fenced(Assignment old, Acting.Fence fence) {
        return old.withFence(fence);
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

    private static List<Allocation> allocations(String... hosts) {
        return Stream.of(hosts)
                .map(
                        name ->
                                new Allocation(
                                        new ResourceId(
                                                Long.parseLong(
                                                        name.substring("compute-".length()))),
                                        name,
                                        Map.of()))
                .toList();
    }

    private Acting acting() {
        return plugin.acting();
    }
}
