package org.leasehold.saga.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.axonframework.test.saga.FixtureConfiguration;
import org.axonframework.test.saga.SagaTestFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.saga.fakes.FakeTaskQueue;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.saga.timer.InMemoryTimers;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.waiting.InMemoryWaitingLeases;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class InventorySagaTest {

    private static final ResourceId NODE = new ResourceId(1);
    private static final ResourceEnrolled ENROLLED =
            new ResourceEnrolled(
                    NODE, ResourceKind.PHYSICAL_HOST, "node1", null, null, Map.of(), Map.of());
    private static final ResourceDisabled DOWN =
            new ResourceDisabled(NODE, "it is down", List.of(LEASE), OutageExtent.DOWN);
    private static final ResourceFailed FAILED =
            new ResourceFailed(LEASE, RESERVATION, NODE, "it is down");

    private final FakeTaskQueue tasks = new FakeTaskQueue();
    private final InMemoryTimers timers = new InMemoryTimers(new TestClock());
    private final FixtureConfiguration fixture = new SagaTestFixture<>(InventorySaga.class);

    InventorySagaTest() {
        fixture.registerResource(
                new ReactionExecutor(
                        timers, tasks, new InMemoryWaitingLeases(), Duration.ofMinutes(10)));
    }

    @Test
    void an_enrolment_starts_the_saga_of_the_resource() {
        fixture.givenNoPriorActivity()
                .whenPublishingA(ENROLLED)
                .expectSuccessfulHandlerExecution()
                .expectActiveSagas(1)
                .expectAssociationWith("resourceId", NODE.toString());

        assertThat(tasks.submitted())
                .containsExactly(new PluginTask.Enrol(NODE, ResourceKind.PHYSICAL_HOST, "node1"));
    }

    @Test
    void a_retirement_ends_the_saga_with_the_stored_name() {
        fixture.givenAPublished(ENROLLED)
                .whenPublishingA(new ResourceRetired(NODE))
                .expectSuccessfulHandlerExecution()
                .expectActiveSagas(0);

        assertThat(tasks.submitted())
                .contains(new PluginTask.Retire(NODE, ResourceKind.PHYSICAL_HOST, "node1"));
    }

    @Test
    void an_outage_sets_timers_at_the_time_of_the_event() {
        fixture.givenCurrentTime(NOON)
                .andThenAPublished(ENROLLED)
                .whenPublishingA(DOWN)
                .expectSuccessfulHandlerExecution();

        assertThat(timers.all()).hasSize(2).allMatch(timer -> timer.due().equals(NOON));
        assertThat(reports()).containsExactly(report("it is down"));
    }

    @ParameterizedTest
    @NullSource
    @EnumSource
    void a_resource_out_of_service_is_to_be_replaced(@Nullable OutageExtent extent) {
        fixture.givenAPublished(ENROLLED)
                .whenPublishingA(
                        new ResourceDisabled(NODE, "it is not well", List.of(LEASE), extent))
                .expectSuccessfulHandlerExecution();

        assertThat(commands()).contains(new LeaseCommand.ReplaceResource(LEASE, NODE));
    }

    @Test
    void a_recovery_of_the_resource_replaces_the_timer_of_the_outage() {
        fixture.givenAPublished(ENROLLED)
                .andThenAPublished(DOWN)
                .andThenAPublished(FAILED)
                .whenPublishingA(new ResourceEnabled(NODE))
                .expectSuccessfulHandlerExecution();

        assertThat(reports()).containsExactly(report(null));
    }

    @Test
    void an_early_recovery_of_a_lease_is_corrected() {
        fixture.givenAPublished(ENROLLED)
                .andThenAPublished(DOWN)
                .andThenAPublished(FAILED)
                .andThenAPublished(new ResourceEnabled(NODE))
                .andThenAPublished(DOWN)
                .whenPublishingA(new ResourceRecovered(LEASE, RESERVATION, NODE))
                .expectSuccessfulHandlerExecution();

        assertThat(reports()).containsExactly(report("it is down"));
    }

    @Test
    void events_of_unknown_resources_have_no_saga() {
        fixture.givenNoPriorActivity()
                .whenPublishingA(FAILED)
                .expectSuccessfulHandlerExecution()
                .expectActiveSagas(0);

        assertThat(timers.all()).isEmpty();
    }

    private List<LeaseCommand> reports() {
        return commands().stream().filter(LeaseCommand.RecordOutage.class::isInstance).toList();
    }

    private List<LeaseCommand> commands() {
        return timers.all().stream().map(Timer::command).toList();
    }

    private static LeaseCommand report(@Nullable String reason) {
        return new LeaseCommand.RecordOutage(LEASE, NODE, null, reason);
    }
}
