package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.NOON;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.query.ResourceView;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.Acting.Inventory;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeWorld;
import org.leasehold.saga.node.Node;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;

class InventoryWatchTest {

    private static final ResourceId NODE_1 = new ResourceId(1);
    private static final Inventory DOWN =
            new Inventory.Known(Map.of("node1", "it is down"), Map.of());
    private static final String WATCHED = "The cloud: it is down";

    private final FakeWorld world = new FakeWorld();
    private final FakePlugins cloud = new FakePlugins();
    private final FakeCommands commands = new FakeCommands();

    @Test
    void what_the_cloud_cannot_give_is_taken_out_of_service() {
        enrolled(null);
        cloud.says(DOWN);

        look();

        assertThat(commands.resourceCommands())
                .containsExactly(new ReportOutage(NODE_1, "it is down"));
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
                .containsExactly(new ReportOutage(NODE_1, "it is down"));
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

    private static Inventory found(Map<String, Object> attributes) {
        return new Inventory.Known(
                Map.of(), Map.of("node1", new Found("node1", null, null, attributes)));
    }

    @Test
    void a_cloud_that_does_not_answer_changes_nothing() {
        enrolled(null);
        cloud.says(new Inventory.Unknown(new Fault(Fault.Kind.RETRYABLE, "no answer")));

        look();

        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void a_node_that_does_not_act_does_not_look() {
        enrolled(null);
        cloud.says(DOWN);

        look(false);

        assertThat(commands.resourceCommands()).isEmpty();
    }

    private void look() {
        look(true);
    }

    private void look(boolean works) {
        new InventoryWatch(
                        cloud,
                        world,
                        commands,
                        Clock.fixed(NOON, ZoneOffset.UTC),
                        new Node("node", works))
                .look();
    }

    private void enrolled(@Nullable String disabledReason) {
        enrolled(disabledReason, Map.of());
    }

    private void enrolled(@Nullable String disabledReason, Map<String, Object> attributes) {
        world.put(
                new ResourceView(
                        NODE_1,
                        ResourceKind.PHYSICAL_HOST,
                        "node1",
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
