package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection.AlreadyEnrolled;
import org.leasehold.inventory.ResourceRejection.ResourceNotFound;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.inventory.ResourceRejection.WrongState;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The enrolment and the retirement of resources. */
class ResourceDeciderTest extends ResourceDeciderFixture {

    private static final ResourceRetired RETIRED = new ResourceRetired(ID);

    @Test
    void an_enrolment_records_all_attributes_and_capabilities() {
        assertThat(decide(FREE, enrol(Map.of("gpu", "V100", "rack", "a"))))
                .isEqualTo(accepted(ENROLLED));
    }

    @Test
    void a_name_is_enrolled_once() {
        assertThat(decide(new ResourceConstraints(true, List.of()), enrol(Map.of())))
                .isEqualTo(
                        new Rejected(new AlreadyEnrolled(ResourceKind.PHYSICAL_HOST, "compute-7")));
    }

    @Test
    void a_resource_is_enrolled_once() {
        assertThat(decide(FREE, enrol(Map.of()), ENROLLED))
                .isEqualTo(
                        new Rejected(new AlreadyEnrolled(ResourceKind.PHYSICAL_HOST, "compute-7")));
    }

    @Test
    void the_id_of_a_retired_resource_cannot_be_enrolled() {
        assertThat(decide(FREE, enrol(Map.of()), ENROLLED, RETIRED))
                .isEqualTo(new Rejected(new WrongState(ID, "retired", "enrol")));
    }

    @Test
    void a_resource_without_leases_can_be_retired_even_if_disabled() {
        assertThat(decide(FREE, new RetireResource(ID), ENROLLED)).isEqualTo(accepted(RETIRED));
        assertThat(decide(FREE, new RetireResource(ID), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted(RETIRED));
    }

    @Test
    void a_resource_with_leases_cannot_be_retired() {
        ResourceConstraints reserved =
                standing(
                        new Reliance(WEEKLY, Set.of()),
                        new Reliance(NIGHTLY, Set.of()),
                        new Reliance(WEEKLY, Set.of()));

        assertThat(decide(reserved, new RetireResource(ID), ENROLLED))
                .isEqualTo(new Rejected(new ResourceReserved(ID, List.of(WEEKLY, NIGHTLY))));
    }

    @ParameterizedTest
    @MethodSource("commandsToAnEnrolledResource")
    void a_command_to_an_absent_or_retired_resource_is_rejected(ResourceCommand command) {
        Rejected notFound = new Rejected(new ResourceNotFound(ID));

        assertThat(decide(FREE, command)).isEqualTo(notFound);
        assertThat(decide(FREE, command, ENROLLED, RETIRED)).isEqualTo(notFound);
    }

    static List<ResourceCommand> commandsToAnEnrolledResource() {
        return List.of(
                new ChangeResource(ID, Map.of("gpu", "A100"), Set.of()),
                new DisableResource(ID, "broken fan"),
                new ReportOutage(ID, Outage.down("down")),
                report(Map.of("vcpus", 4)),
                new EnableResource(ID),
                new RetireResource(ID));
    }

    @Test
    void an_impossible_event_sequence_is_reported_as_corrupt() {
        for (ResourceEvent impossible :
                List.of(
                        IN_REPAIR,
                        RETIRED,
                        new ResourceEnabled(ID),
                        described(Map.of()),
                        new ResourceChanged(ID, Map.of(), Set.of()))) {
            assertThatThrownBy(() -> history(impossible))
                    .isInstanceOf(CorruptResourceHistory.class);
            assertThatThrownBy(() -> history(ENROLLED, RETIRED, impossible))
                    .isInstanceOf(CorruptResourceHistory.class);
        }
        assertThatThrownBy(() -> history(ENROLLED, ENROLLED))
                .isInstanceOf(CorruptResourceHistory.class);
        assertThatThrownBy(() -> history(ENROLLED, new ResourceEnabled(ID)))
                .isInstanceOf(CorruptResourceHistory.class);
    }
}
