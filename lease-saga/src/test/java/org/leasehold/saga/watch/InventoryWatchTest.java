package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.watch.InventoryWatch.MOST_DESCRIBED;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.query.ResourceView;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.Acting.Look;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeTasks;
import org.leasehold.saga.fakes.FakeWorld;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reconciliation.HeldResources;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;

class InventoryWatchTest {

    private static final ResourceId NODE_1 = new ResourceId(1);
    private static final Outage IT_IS_DOWN = Outage.down("it is down");
    private static final Look DOWN = new Look.Known(Map.of("node1", IT_IS_DOWN), Map.of());
    private static final String WATCHED = "The cloud: it is down";

    private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);

    private final FakeWorld world = new FakeWorld();
    private final FakePlugins cloud = new FakePlugins();
    private final FakeCommands commands = new FakeCommands();
    private final FakeTasks tasks = new FakeTasks();
    private final InventoryWatch watch = watch(true);

    @Test
    void what_the_cloud_cannot_give_is_taken_out_of_service() {
        enrolled(null);
        cloud.says(DOWN);

        look();

        assertThat(commands.resourceCommands())
                .containsExactly(new ReportOutage(NODE_1, IT_IS_DOWN));
    }

    @Test
    void once_it_is_out_of_service_there_is_nothing_to_do() {
        enrolled(WATCHED);
        cloud.says(DOWN);

        look();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void another_reason_is_told() {
        enrolled("The cloud: it is unknown");
        cloud.says(DOWN);

        look();

        assertThat(commands.resourceCommands())
                .containsExactly(new ReportOutage(NODE_1, IT_IS_DOWN));
    }

    @Test
    void what_the_cloud_can_give_again_is_put_back_into_service() {
        enrolled(WATCHED);

        look();

        assertThat(commands.resourceCommands()).containsExactly(new ReportOutage(NODE_1, null));
    }

    @Test
    void what_an_operator_took_out_of_service_stays_so() {
        enrolled("new disks");

        look();
        cloud.says(DOWN);
        look();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void what_the_cloud_says_otherwise_than_before_is_told_once() {
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
    void what_returns_is_known_before_it_is_given() {
        enrolled(WATCHED, Map.of("vcpus", 8));
        cloud.says(found(Map.of("vcpus", 4)));

        look();

        assertThat(commands.resourceCommands())
                .containsExactly(
                        new ReportAttributes(NODE_1, null, null, Map.of("vcpus", 4)),
                        new ReportOutage(NODE_1, null));
    }

    @Test
    void of_many_that_are_different_a_few_are_told_at_a_time_and_none_is_given_untold() {
        Map<String, Found> all = new TreeMap<>();
        for (int number = 1; number <= 2 * MOST_DESCRIBED; number++) {
            enrolled(number, WATCHED, Map.of("vcpus", 8));
            all.put("node" + number, new Found("node" + number, null, null, Map.of("vcpus", 4)));
        }
        cloud.says(new Look.Known(Map.of(), all));

        look();

        assertThat(commands.resourceCommands())
                .hasSize(2 * MOST_DESCRIBED)
                .filteredOn(ReportAttributes.class::isInstance)
                .hasSize(MOST_DESCRIBED);
        for (int number = 1; number <= MOST_DESCRIBED; number++) {
            enrolled(number, null, Map.of("vcpus", 4));
        }
        look();
        assertThat(commands.resourceCommands()).hasSize(4 * MOST_DESCRIBED).doesNotHaveDuplicates();
    }

    private static Look found(Map<String, Object> attributes) {
        return new Look.Known(
                Map.of(), Map.of("node1", new Found("node1", null, null, attributes)));
    }

    @Test
    void a_cloud_that_does_not_answer_changes_nothing() {
        enrolled(null);
        cloud.says(new Look.Unknown(new Fault(Fault.Kind.RETRYABLE, "no answer")));

        look();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void what_failed_is_hastened_once_when_the_cloud_answers_again() {
        enrolled(null);
        look();
        assertThat(tasks.hastened()).isZero();
        cloud.says(new Look.Unknown(new Fault(Fault.Kind.RETRYABLE, "no answer")));
        look();
        look();
        assertThat(tasks.hastened()).isZero();
        cloud.says(new Look.Known(Map.of(), Map.of()));

        look();
        look();

        assertThat(tasks.hastened()).isEqualTo(1);
    }

    @Test
    void a_node_that_does_not_act_does_not_look() {
        enrolled(null);
        cloud.says(DOWN);

        watch(false).look();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    private void look() {
        watch.look();
    }

    private InventoryWatch watch(boolean works) {
        return new InventoryWatch(
                cloud,
                world,
                commands,
                CLOCK,
                new Node("node", works),
                new StrayResources(new HeldResources(world, world), tasks, CLOCK),
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
