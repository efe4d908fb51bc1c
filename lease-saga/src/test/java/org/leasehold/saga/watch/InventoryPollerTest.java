package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.watch.InventoryPoller.MAX_DESCRIPTIONS;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.InventoryResult;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeFailedPolls;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.FakeTaskQueue;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reconciliation.HeldResources;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;

class InventoryPollerTest {

    private static final ResourceId NODE_1 = new ResourceId(1);
    private static final Outage IT_IS_DOWN = Outage.down("it is down");
    private static final InventoryResult DOWN =
            new InventoryResult.Known(Map.of("node1", IT_IS_DOWN), Map.of());
    private static final String WATCHED = "The cloud: it is down";

    private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);

    private final FakeReadModel world = new FakeReadModel();
    private final FakePlugins cloud = new FakePlugins();
    private final FakeFailedPolls failedPolls = new FakeFailedPolls();
    private final FakeCommands commands = new FakeCommands();
    private final FakeTaskQueue tasks = new FakeTaskQueue();
    private final InventoryPoller watch = watch(true);

    @Test
    void a_resource_that_is_down_in_the_cloud_is_taken_out_of_service() {
        enrolled(null);
        cloud.says(DOWN);

        look();

        assertThat(commands.resourceCommands())
                .containsExactly(new ReportOutage(NODE_1, IT_IS_DOWN));
    }

    @Test
    void a_recorded_outage_is_not_reported_again() {
        enrolled(WATCHED);
        cloud.says(DOWN);

        look();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void a_changed_reason_of_an_outage_is_reported() {
        enrolled("The cloud: it is unknown");
        cloud.says(DOWN);

        look();

        assertThat(commands.resourceCommands())
                .containsExactly(new ReportOutage(NODE_1, IT_IS_DOWN));
    }

    @Test
    void a_resource_that_recovers_in_the_cloud_is_put_back_into_service() {
        enrolled(WATCHED);

        look();

        assertThat(commands.resourceCommands()).containsExactly(new ReportOutage(NODE_1, null));
    }

    @Test
    void a_resource_disabled_by_an_operator_stays_out_of_service() {
        enrolled("new disks");

        look();
        cloud.says(DOWN);
        look();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void changed_attributes_of_a_resource_are_reported() {
        enrolled(null, Map.of("vcpus", 8));
        cloud.says(found(Map.of("vcpus", 8L)));

        look();
        assertThat(commands.resourceCommands()).isEmpty();
        cloud.says(found(Map.of("vcpus", 4L)));
        look();

        assertThat(commands.resourceCommands())
                .containsExactly(new ReportAttributes(NODE_1, null, null, Map.of("vcpus", 4L)));
    }

    @Test
    void attributes_of_a_recovered_resource_are_reported_before_the_recovery() {
        enrolled(WATCHED, Map.of("vcpus", 8));
        cloud.says(found(Map.of("vcpus", 4)));

        look();

        assertThat(commands.resourceCommands())
                .containsExactly(
                        new ReportAttributes(NODE_1, null, null, Map.of("vcpus", 4)),
                        new ReportOutage(NODE_1, null));
    }

    @Test
    void each_poll_reports_a_limited_number_of_changed_resources() {
        Map<String, Found> all = new TreeMap<>();
        for (int number = 1; number <= 2 * MAX_DESCRIPTIONS; number++) {
            enrolled(number, WATCHED, Map.of("vcpus", 8));
            all.put("node" + number, new Found("node" + number, null, null, Map.of("vcpus", 4)));
        }
        cloud.says(new InventoryResult.Known(Map.of(), all));

        look();

        assertThat(commands.resourceCommands())
                .hasSize(2 * MAX_DESCRIPTIONS)
                .filteredOn(ReportAttributes.class::isInstance)
                .hasSize(MAX_DESCRIPTIONS);
        for (int number = 1; number <= MAX_DESCRIPTIONS; number++) {
            enrolled(number, null, Map.of("vcpus", 4));
        }
        look();
        assertThat(commands.resourceCommands())
                .hasSize(4 * MAX_DESCRIPTIONS)
                .doesNotHaveDuplicates();
    }

    private static InventoryResult found(Map<String, Object> attributes) {
        return new InventoryResult.Known(
                Map.of(), Map.of("node1", new Found("node1", null, null, attributes)));
    }

    @Test
    void a_cloud_that_does_not_answer_changes_nothing() {
        enrolled(null);
        cloud.says(new InventoryResult.Unknown(new Fault(Fault.Kind.RETRYABLE, "no answer")));

        look();

        assertThat(commands.resourceCommands()).isEmpty();
        assertThat(failedPolls.polls()).containsExactly("inventory physical:host");
    }

    @Test
    void failed_tasks_are_hastened_once_when_the_cloud_recovers() {
        enrolled(null);
        look();
        assertThat(tasks.hastened()).isZero();
        cloud.says(new InventoryResult.Unknown(new Fault(Fault.Kind.RETRYABLE, "no answer")));
        look();
        look();
        assertThat(tasks.hastened()).isZero();
        cloud.says(new InventoryResult.Known(Map.of(), Map.of()));

        look();
        look();

        assertThat(tasks.hastened()).isEqualTo(1);
    }

    @Test
    void an_inactive_node_does_not_poll() {
        enrolled(null);
        cloud.says(DOWN);

        watch(false).poll();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    private void look() {
        watch.poll();
    }

    private InventoryPoller watch(boolean works) {
        return new InventoryPoller(
                cloud,
                world,
                commands,
                new PollContext(CLOCK, new Node("node", works), failedPolls),
                new StrayResourceRepair(new HeldResources(world, world), tasks, CLOCK),
                tasks);
    }

    private void enrolled(@Nullable String disabledReason) {
        enrolled(disabledReason, Map.of());
    }

    private void enrolled(@Nullable String disabledReason, Map<String, Object> attributes) {
        enrolled(1, disabledReason, attributes);
    }

    private void enrolled(
            int number, @Nullable String disabledReason, Map<String, Object> attributes) {
        world.put(
                new ResourceView(
                        new ResourceId(number),
                        ResourceKind.PHYSICAL_HOST,
                        "node" + number,
                        null,
                        null,
                        disabledReason == null,
                        disabledReason,
                        attributes,
                        Map.of(),
                        NOON,
                        null));
    }
}
