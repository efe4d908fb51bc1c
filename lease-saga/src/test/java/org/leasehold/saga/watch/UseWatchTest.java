package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.NOON;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.Uses;
import org.leasehold.query.Uses.Given;
import org.leasehold.resource.Acting.Running;
import org.leasehold.resource.Acting.Running.Load;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeWorld;
import org.leasehold.saga.node.Node;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class UseWatchTest {

    private static final LeaseId LEASE = new LeaseId(new UUID(1, 1));
    private static final ProjectId PROJECT = new ProjectId("astronomy");
    private static final ReservationId RESERVATION = new ReservationId(new UUID(2, 1));
    private static final ResourceId NODE_1 = new ResourceId(1);

    private final FakeWorld world = new FakeWorld();
    private final FakePlugins cloud = new FakePlugins();
    private final FakeCommands commands = new FakeCommands();
    private final List<Given> given = new ArrayList<>();

    @Test
    void what_runs_on_a_leased_host_is_noted() {
        given(null);
        cloud.says(running(2, 8));

        look();

        assertThat(commands.observations()).containsExactly(seen(2, 8));
    }

    @Test
    void that_nothing_runs_is_noted_too() {
        given(null);
        cloud.says(running(0, 0));

        look();

        assertThat(commands.observations()).containsExactly(seen(0, 0));
    }

    @Test
    void what_was_noted_last_is_not_noted_again() {
        given(seen(2, 8));
        cloud.says(running(2, 8));

        look();
        assertThat(commands.observations()).isEmpty();
        cloud.says(running(2, 9));
        look();

        assertThat(commands.observations()).containsExactly(seen(2, 9));
    }

    @Test
    void a_cloud_that_says_nothing_of_a_host_or_does_not_answer_changes_nothing() {
        given(null);

        look();
        cloud.says(new Running.Unknown(new Fault(Fault.Kind.RETRYABLE, "no answer")));
        look();

        assertThat(commands.observations()).isEmpty();
    }

    @Test
    void a_host_that_was_retired_meanwhile_is_not_asked_for() {
        given(null);
        world.retire(NODE_1);
        cloud.says(running(2, 8));

        look();

        assertThat(cloud.calls()).containsExactly("running []");
        assertThat(commands.observations()).isEmpty();
    }

    @Test
    void where_nothing_is_given_the_cloud_is_not_asked() {
        world.enrol(NODE_1, "node1");

        look();

        assertThat(cloud.calls()).isEmpty();
    }

    @Test
    void a_node_that_does_not_act_does_not_look() {
        given(null);
        cloud.says(running(2, 8));

        look(false);

        assertThat(commands.observations()).isEmpty();
    }

    private void look() {
        look(true);
    }

    private void look(boolean works) {
        new UseWatch(
                        cloud,
                        world,
                        new Paper(),
                        commands,
                        Clock.fixed(NOON, ZoneOffset.UTC),
                        new Node("node", works))
                .look();
    }

    private final class Paper implements Uses {

        @Override
        public List<Given> given(ResourceKind kind, Instant at) {
            assertThat(kind).isEqualTo(ResourceKind.PHYSICAL_HOST);
            assertThat(at).isEqualTo(NOON);
            return given;
        }

        @Override
        public List<Standing> standing(Instant at) {
            throw new UnsupportedOperationException();
        }
    }

    private void given(@Nullable UseObserved last) {
        world.enrol(NODE_1, "node1");
        given.add(new Given(LEASE, PROJECT, RESERVATION, NODE_1, last));
    }

    private static UseObserved seen(int servers, int vcpus) {
        return new UseObserved(LEASE, PROJECT, RESERVATION, NODE_1, servers, vcpus);
    }

    private static Running running(int servers, int vcpus) {
        return new Running.Known(Map.of("node1", new Load(servers, vcpus)));
    }
}
