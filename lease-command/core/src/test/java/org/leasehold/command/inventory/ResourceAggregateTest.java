package org.leasehold.command.inventory;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.ResultValidator;
import org.axonframework.test.aggregate.TestExecutor;
import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.inventory.ResourceRejection.PropertiesReliedOn;
import org.leasehold.inventory.ResourceRejection.ResourceNotFound;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

class ResourceAggregateTest {

    private static final Instant NOW = Instant.parse("2026-11-21T00:33:00Z");
    private static final ResourceId ID = new ResourceId(7);
    private static final LeaseId NIGHTLY = new LeaseId(new UUID(0, 1));

    private static final EnrolResource ENROL =
            new EnrolResource(
                    ID,
                    ResourceKind.PHYSICAL_HOST,
                    "compute-7",
                    null,
                    "nova",
                    Map.of("vcpus", 8),
                    Map.of("gpu", "V100"));
    private static final ResourceEnrolled ENROLLED =
            new ResourceEnrolled(
                    ID,
                    ResourceKind.PHYSICAL_HOST,
                    "compute-7",
                    null,
                    "nova",
                    Map.of("vcpus", 8),
                    Map.of("gpu", "V100"));

    private final RecordingInventory inventory = new RecordingInventory();
    private final AggregateTestFixture<ResourceAggregate> fixture = fixture();

    @Test
    void a_resource_is_enrolled_disabled_enabled_and_retired() {
        when(fixture.givenNoPriorActivity(), ENROL)
                .expectEvents(ENROLLED)
                .expectResultMessagePayload(accepted());
        when(fixture.given(ENROLLED), new DisableResource(ID, "broken fan"))
                .expectEvents(new ResourceDisabled(ID, "broken fan", List.of()))
                .expectResultMessagePayload(accepted());
        when(
                        fixture.given(ENROLLED, new ResourceDisabled(ID, "broken fan", List.of())),
                        new EnableResource(ID))
                .expectEvents(new ResourceEnabled(ID));
        when(fixture.given(ENROLLED), new RetireResource(ID)).expectEvents(new ResourceRetired(ID));
        inventory.expect(
                ENROLLED,
                new ResourceDisabled(ID, "broken fan", List.of()),
                new ResourceEnabled(ID),
                new ResourceRetired(ID));
    }

    @Test
    void a_rejected_command_stores_no_event_and_no_row() {
        inventory.standing =
                new ResourceConstraints(false, List.of(new Reliance(NIGHTLY, Set.of("gpu"))));

        when(fixture.given(ENROLLED), new ChangeResource(ID, Map.of("gpu", "A100"), Set.of()))
                .expectNoEvents()
                .expectResultMessagePayload(
                        rejected(new PropertiesReliedOn(ID, Set.of("gpu"), List.of(NIGHTLY))));
        when(fixture.given(ENROLLED), new RetireResource(ID))
                .expectNoEvents()
                .expectResultMessagePayload(rejected(new ResourceReserved(ID, List.of(NIGHTLY))));
        inventory.expect();
    }

    @Test
    void a_command_to_an_unknown_resource_is_rejected_and_starts_no_stream() {
        when(fixture.givenNoPriorActivity(), new RetireResource(ID))
                .expectNoEvents()
                .expectResultMessagePayload(rejected(new ResourceNotFound(ID)));
        inventory.expect();
    }

    @Test
    void the_visibility_of_a_property_has_a_separate_event_stream() {
        AggregateTestFixture<PropertyAggregate> properties =
                new AggregateTestFixture<>(PropertyAggregate.class);
        properties.registerInjectableResource(inventory);
        properties.registerCommandTargetResolver(
                command -> new VersionedAggregateIdentifier((Object) "physical:host/gpu", null));
        PropertyVisibility hidden = new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "gpu", true);
        PropertyVisibility visible =
                new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "gpu", false);

        properties
                .given(hidden)
                .when(
                        new GenericCommandMessage<>(
                                new GenericMessage<>(visible, Map.of("now", NOW)),
                                PropertyVisibility.class.getName()))
                .expectSuccessfulHandlerExecution()
                .expectEvents(visible);
        inventory.expect(visible);
    }

    private static ResultValidator<ResourceAggregate> when(
            TestExecutor<ResourceAggregate> given, ResourceCommand command) {
        return given.when(
                new GenericCommandMessage<>(
                        new GenericMessage<>(command, Map.of("now", NOW)),
                        ResourceCommand.class.getName()));
    }

    private AggregateTestFixture<ResourceAggregate> fixture() {
        AggregateTestFixture<ResourceAggregate> aggregates =
                new AggregateTestFixture<>(ResourceAggregate.class);
        aggregates.registerInjectableResource(inventory);
        aggregates.registerCommandTargetResolver(
                command -> new VersionedAggregateIdentifier((Object) ID.toString(), null));
        return aggregates;
    }

    private static Outcome<ResourceRejection> accepted() {
        return new Outcome.Accepted<>(0);
    }

    private static Outcome<ResourceRejection> rejected(ResourceRejection rejection) {
        return new Outcome.Rejected<>(rejection);
    }
}
