package org.leasehold.command.use;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.ResultValidator;
import org.axonframework.test.aggregate.TestExecutor;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.UseObserved;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.UUID;

class UseAggregateTest {

    private final AggregateTestFixture<UseAggregate> fixture = fixture();

    @Test
    void a_first_observation_of_zero_use_is_recorded() {
        when(fixture.givenNoPriorActivity(), seen(0, 0)).expectEvents(seen(0, 0));
    }

    @Test
    void an_unchanged_observation_is_not_recorded() {
        when(fixture.given(seen(2, 8)), seen(2, 8)).expectNoEvents();
    }

    @Test
    void a_changed_observation_is_recorded() {
        when(fixture.given(seen(2, 8)), seen(2, 9)).expectEvents(seen(2, 9));
        when(fixture.given(seen(2, 8), seen(0, 0)), seen(2, 8)).expectEvents(seen(2, 8));
    }

    private static UseObserved seen(int servers, int vcpus) {
        return new UseObserved(
                new LeaseId(new UUID(1, 1)),
                new ProjectId("astronomy"),
                new ReservationId(new UUID(2, 1)),
                new ResourceId(7),
                servers,
                vcpus);
    }

    private static ResultValidator<UseAggregate> when(
            TestExecutor<UseAggregate> given, UseObserved command) {
        return given.when(
                new GenericCommandMessage<>(
                        new GenericMessage<>(command), UseObserved.class.getName()));
    }

    private static AggregateTestFixture<UseAggregate> fixture() {
        AggregateTestFixture<UseAggregate> fixture = new AggregateTestFixture<>(UseAggregate.class);
        fixture.registerCommandTargetResolver(
                message ->
                        new VersionedAggregateIdentifier(
                                (Object) ((UseObserved) message.getPayload()).stream(), null));
        return fixture;
    }
}
