package org.leasehold.saga.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NODE_1;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.LossResult;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeFailedPolls;
import org.leasehold.saga.fakes.FakePlugins;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.inventory.InventorySaga;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reconciliation.HeldResources;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;

class LossPollerTest {

    private static final ResourceId ID = NODE_1.resource();
    private static final RecordOutage LOST =
            new RecordOutage(LEASE, ID, RESERVATION, InventorySaga.PART_REMOVED);
    private static final RecordOutage BACK = new RecordOutage(LEASE, ID, RESERVATION, null);

    private final FakeReadModel world = new FakeReadModel();
    private final FakePlugins cloud = new FakePlugins();
    private final FakeCommands commands = new FakeCommands();
    private final FakeFailedPolls failedPolls = new FakeFailedPolls();
    private final LossPoller poller = poller(true);

    private LossPoller poller(boolean works) {
        return new LossPoller(
                cloud,
                new HeldResources(world, world),
                world,
                commands,
                new PollContext(
                        Clock.fixed(NOON, ZoneOffset.UTC), new Node("node", works), failedPolls));
    }

    @BeforeEach
    void a_reservation_lost_a_part() {
        world.enrol(ID, "node1");
        holds(LeaseStatus.ACTIVE, List.of());
        cloud.says(new LossResult.Known(Set.of(RESERVATION)));
    }

    @Test
    void a_lost_part_of_an_active_reservation_is_reported_to_the_lease() {
        poller.poll();

        assertThat(commands.commands()).containsExactly(LOST);
        assertThat(commands.resourceCommands()).isEmpty();
    }

    @Test
    void a_loss_that_the_lease_knows_is_not_reported() {
        holds(LeaseStatus.ACTIVE, List.of(ID));

        poller.poll();

        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_loss_is_over_when_the_part_is_back() {
        poller.poll();
        holds(LeaseStatus.ACTIVE, List.of(ID));
        poller.poll();

        cloud.says(new LossResult.Known(Set.of()));
        poller.poll();
        holds(LeaseStatus.ACTIVE, List.of());
        poller.poll();
        poller.poll();

        assertThat(commands.commands()).containsExactly(LOST, BACK);
    }

    @Test
    void a_node_that_starts_later_reports_the_end_of_a_loss() {
        holds(LeaseStatus.ACTIVE, List.of(ID));
        cloud.says(new LossResult.Known(Set.of()));

        poller.poll();

        assertThat(commands.commands()).containsExactly(BACK);
    }

    @Test
    void the_end_of_a_loss_is_not_the_end_of_an_outage() {
        holds(LeaseStatus.ACTIVE, List.of(ID));
        world.enrolDisabled(ID, "node1", "it is down");
        cloud.says(new LossResult.Known(Set.of()));

        poller.poll();

        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_loss_on_a_disabled_resource_is_reported() {
        holds(LeaseStatus.ACTIVE, List.of(ID));
        world.enrolDisabled(ID, "node1", "maintenance");

        poller.poll();

        assertThat(commands.commands()).containsExactly(LOST);
    }

    @Test
    void a_reservation_that_just_started_has_no_loss() {
        cloud.afterReadingLosses(() -> cloud.says(new LossResult.Known(Set.of())));

        poller.poll();

        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_reservation_of_a_starting_ending_or_failed_lease_has_no_loss() {
        for (LeaseStatus status :
                List.of(LeaseStatus.STARTING, LeaseStatus.ENDING, LeaseStatus.ERROR)) {
            holds(status, List.of());
            poller.poll();
        }

        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_cloud_without_an_answer_changes_no_lease() {
        holds(LeaseStatus.ACTIVE, List.of(ID));
        cloud.says(new LossResult.Unknown(new Fault(Fault.Kind.RETRYABLE, "nova is away")));
        poller.poll();
        cloud.says(new LossResult.Unchecked());
        poller.poll();

        assertThat(commands.commands()).isEmpty();
        assertThat(failedPolls.polls()).containsExactly("losses physical:host");
    }

    @Test
    void a_reservation_that_ended_has_no_loss() {
        world.holdsNothing(RESERVATION);

        poller.poll();

        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_node_that_only_answers_queries_reports_no_loss() {
        poller(false).poll();

        assertThat(commands.commands()).isEmpty();
    }

    private void holds(LeaseStatus status, List<ResourceId> down) {
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
                                        ReservationView.Status.ACTIVE,
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
