package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.InventoryResult;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.FakeTaskQueue;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.node.FailedPolls;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.task.PluginTask;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

class StrayResourceRepairTest {

    private static final ResourceId ID = NODE_1.resource();
    private static final PluginTask ENROL =
            new PluginTask.Enrol(ID, ResourceKind.PHYSICAL_HOST, "node1");

    private final FakeReadModel world = new FakeReadModel();
    private final FakePlugins cloud = new FakePlugins();
    private final FakeCommands commands = new FakeCommands();
    private final FakeTaskQueue tasks = new FakeTaskQueue();

    @BeforeEach
    void a_host_is_in_no_pool() {
        world.enrol(ID, "node1");
        cloud.says(new InventoryResult.Known(Map.of(), Map.of(), new TreeSet<>(List.of("node1"))));
    }

    @Test
    void a_free_resource_in_no_pool_is_enrolled_again() {
        look();

        assertThat(tasks.submitted()).containsExactly(ENROL);
        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void a_resource_in_no_pool_is_enrolled_for_a_starting_lease() {
        holds(LeaseStatus.STARTING, ReservationView.Status.PENDING, List.of());

        look();

        assertThat(tasks.submitted()).containsExactly(ENROL);
    }

    @Test
    void a_resource_removed_from_an_active_reservation_is_out_of_service() {
        holds(LeaseStatus.ACTIVE, ReservationView.Status.ACTIVE, List.of());

        look();

        assertThat(tasks.submitted()).isEmpty();
        assertThat(commands.resourceCommands())
                .containsExactly(new ReportOutage(ID, StrayResourceRepair.REMOVED_OUTAGE));
        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_removed_resource_with_a_recorded_outage_causes_no_task() {
        holds(LeaseStatus.ACTIVE, ReservationView.Status.ACTIVE, List.of(ID));

        look();

        assertThat(tasks.submitted()).isEmpty();
        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_removed_resource_of_an_ending_or_failed_lease_causes_no_task() {
        for (LeaseStatus status : List.of(LeaseStatus.ENDING, LeaseStatus.ERROR)) {
            holds(status, ReservationView.Status.ACTIVE, List.of(ID));

            look();

            assertThat(tasks.submitted()).isEmpty();
            assertThat(commands.commands()).isEmpty();
        }
    }

    @Test
    void a_removed_resource_that_is_also_down_is_reported_as_down() {
        holds(LeaseStatus.ACTIVE, ReservationView.Status.ACTIVE, List.of());
        Outage down = Outage.down("it is down");
        cloud.says(
                new InventoryResult.Known(
                        Map.of("node1", down), Map.of(), new TreeSet<>(List.of("node1"))));

        look();

        assertThat(commands.resourceCommands()).containsExactly(new ReportOutage(ID, down));
    }

    private void isInThePool() {
        cloud.says(
                new InventoryResult.Known(
                        Map.of(), Map.of(), new TreeSet<>(), new TreeSet<>(List.of("node1"))));
    }

    @Test
    void a_host_of_an_active_reservation_in_the_pool_is_out_of_service() {
        holds(LeaseStatus.ACTIVE, ReservationView.Status.ACTIVE, List.of());
        isInThePool();

        look(NOON.plus(StrayResourceRepair.SETTLING_TIME));

        assertThat(commands.resourceCommands())
                .containsExactly(new ReportOutage(ID, StrayResourceRepair.REMOVED_OUTAGE));
        assertThat(tasks.submitted()).isEmpty();
    }

    @Test
    void a_host_in_the_pool_is_not_reported_within_a_minute_of_a_change() {
        holds(LeaseStatus.ACTIVE, ReservationView.Status.ACTIVE, List.of());
        isInThePool();

        look(NOON.plus(StrayResourceRepair.SETTLING_TIME).minusMillis(1));

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void a_host_in_the_pool_is_not_reported_while_the_reservation_has_a_task() {
        holds(LeaseStatus.ACTIVE, ReservationView.Status.ACTIVE, List.of());
        isInThePool();
        tasks.busy(true);

        look(NOON.plus(Duration.ofHours(1)));

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void an_outage_of_a_host_lasts_until_the_host_leaves_the_pool() {
        holds(LeaseStatus.ACTIVE, ReservationView.Status.ACTIVE, List.of(ID));
        isInThePool();
        tasks.busy(true);
        world.enrolDisabled(
                ID,
                "node1",
                Objects.requireNonNull(
                        new ReportOutage(ID, StrayResourceRepair.REMOVED_OUTAGE).reason()));

        look();
        assertThat(commands.resourceCommands()).isEmpty();

        cloud.says(new InventoryResult.Known(Map.of(), Map.of()));
        look();
        assertThat(commands.resourceCommands()).containsExactly(new ReportOutage(ID, null));
    }

    @Test
    void a_host_in_the_pool_without_an_active_lease_is_not_reported() {
        isInThePool();
        look(NOON.plus(Duration.ofHours(1)));
        for (LeaseStatus status : List.of(LeaseStatus.STARTING, LeaseStatus.ENDING)) {
            holds(status, ReservationView.Status.ACTIVE, List.of());
            look(NOON.plus(Duration.ofHours(1)));
        }

        assertThat(commands.resourceCommands()).isEmpty();
        assertThat(tasks.submitted()).isEmpty();
    }

    private void look() {
        look(NOON);
    }

    private void look(Instant now) {
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        StrayResourceRepair strays =
                new StrayResourceRepair(new HeldResources(world, world), tasks, clock);
        PollContext context = new PollContext(clock, new Node("node", true), FailedPolls.NONE);
        new InventoryPoller(cloud, world, commands, context, strays, tasks).poll();
    }

    private void holds(
            LeaseStatus status, ReservationView.Status reservation, List<ResourceId> down) {
        LeaseView lease = Samples.view(LEASE, PERIOD);
        world.holds(RESERVATION, LEASE);
        world.put(
                new LeaseView(
                        LEASE,
                        lease.projectId(),
                        lease.userId(),
                        lease.name(),
                        status,
                        PERIOD,
                        null,
                        null,
                        List.of(
                                new ReservationView(
                                        RESERVATION,
                                        ResourceKind.PHYSICAL_HOST,
                                        reservation,
                                        Map.of("min", 1),
                                        List.of(NODE_1),
                                        null,
                                        false,
                                        false,
                                        down,
                                        NOON,
                                        null)),
                        List.of(),
                        NOON,
                        null,
                        1,
                        null,
                        null));
    }
}
