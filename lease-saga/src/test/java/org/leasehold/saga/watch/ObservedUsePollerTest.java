package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.NOON;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.readmodel.resource.ObservedUses.Given;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.LoadResult.Load;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeFailedPolls;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.node.Node;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class ObservedUsePollerTest {

    private static final LeaseId LEASE = new LeaseId(new UUID(1, 1));
    private static final ProjectId PROJECT = new ProjectId("astronomy");
    private static final ReservationId RESERVATION = new ReservationId(new UUID(2, 1));
    private static final ResourceId NODE_1 = new ResourceId(1);

    private final FakeReadModel world = new FakeReadModel();
    private final FakePlugins cloud = new FakePlugins();
    private final FakeFailedPolls failedPolls = new FakeFailedPolls();
    private final FakeCommands commands = new FakeCommands();
    private final List<Given> given = new ArrayList<>();

    @Test
    void the_load_of_a_leased_host_is_recorded() {
        given(null);
        cloud.says(running(2, 8));

        look();

        assertThat(commands.observations()).containsExactly(seen(2, 8));
    }

    @Test
    void the_load_of_an_idle_leased_host_is_recorded() {
        given(null);
        cloud.says(running(0, 0));

        look();

        assertThat(commands.observations()).containsExactly(seen(0, 0));
    }

    @Test
    void an_unchanged_load_is_not_recorded_again() {
        given(seen(2, 8));
        cloud.says(running(2, 8));

        look();
        assertThat(commands.observations()).isEmpty();
        cloud.says(running(2, 9));
        look();

        assertThat(commands.observations()).containsExactly(seen(2, 9));
    }

    @Test
    void an_unknown_load_is_not_recorded() {
        given(null);

        look();
        cloud.says(new LoadResult.Unknown(new Fault(Fault.Kind.RETRYABLE, "no answer")));
        look();

        assertThat(commands.observations()).isEmpty();
        assertThat(failedPolls.polls()).containsExactly("use physical:host");
    }

    @Test
    void the_load_of_a_retired_host_is_not_queried() {
        given(null);
        world.retire(NODE_1);
        cloud.says(running(2, 8));

        look();

        assertThat(cloud.calls()).containsExactly("running []");
        assertThat(commands.observations()).isEmpty();
    }

    @Test
    void the_cloud_is_not_queried_without_leased_hosts() {
        world.enrol(NODE_1, "node1");

        look();

        assertThat(cloud.calls()).isEmpty();
    }

    @Test
    void an_inactive_node_does_not_poll() {
        given(null);
        cloud.says(running(2, 8));

        look(false);

        assertThat(commands.observations()).isEmpty();
    }

    private void look() {
        look(true);
    }

    private void look(boolean works) {
        new ObservedUsePoller(
                        cloud,
                        world,
                        new Paper(),
                        commands,
                        new PollContext(
                                Clock.fixed(NOON, ZoneOffset.UTC),
                                new Node("node", works),
                                failedPolls))
                .poll();
    }

    private final class Paper implements ObservedUses {

        @Override
        public List<Given> leasedResources(ResourceKind kind, Instant at) {
            assertThat(kind).isEqualTo(ResourceKind.PHYSICAL_HOST);
            assertThat(at).isEqualTo(NOON);
            return given;
        }

        @Override
        public List<Standing> lastUseByKind(Instant at) {
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

    private static LoadResult running(int servers, int vcpus) {
        return new LoadResult.Known(Map.of("node1", new Load(servers, vcpus)));
    }
}
