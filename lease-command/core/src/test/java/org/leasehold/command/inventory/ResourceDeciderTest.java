package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection.AlreadyEnrolled;
import org.leasehold.inventory.ResourceRejection.InvalidCapability;
import org.leasehold.inventory.ResourceRejection.PropertiesReliedOn;
import org.leasehold.inventory.ResourceRejection.ResourceNotFound;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.inventory.ResourceRejection.WrongState;
import org.leasehold.vocabulary.LeaseId;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

class ResourceDeciderTest {

    private static final ResourceId ID = new ResourceId(7);
    private static final LeaseId NIGHTLY = new LeaseId(new UUID(0, 1));
    private static final LeaseId WEEKLY = new LeaseId(new UUID(0, 2));
    private static final ResourceConstraints FREE = new ResourceConstraints(false, List.of());

    private static final ResourceEnrolled ENROLLED =
            new ResourceEnrolled(
                    ID,
                    ResourceKind.PHYSICAL_HOST,
                    "compute-7",
                    "RegionOne",
                    "nova",
                    Map.of("vcpus", 8, "memory_mb", 4096),
                    Map.of("gpu", "V100", "rack", "a"));
    private static final ResourceDisabled IN_REPAIR =
            new ResourceDisabled(ID, "broken fan", List.of());
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
    void scoped_capabilities_are_kept_under_their_plain_names() {
        assertThat(
                        decide(
                                FREE,
                                enrol(
                                        Map.of(
                                                "capabilities:gpu",
                                                "V100",
                                                "capabilities:rack",
                                                "a"))))
                .isEqualTo(accepted(ENROLLED));
        assertThat(decide(FREE, change(Map.of("capabilities:gpu", "A100")), ENROLLED))
                .isEqualTo(accepted(new ResourceChanged(ID, Map.of("gpu", "A100"), Set.of())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "capabilities:",
                "vcpus",
                "capabilities:vcpus",
                "id",
                "name",
                "status",
                "reservable",
                "availability_zone",
                "trust_id",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void an_invalid_capability_name_is_rejected(String name) {
        assertInvalid(name, decide(FREE, enrol(Map.of(name, "x"))));
        assertInvalid(name, decide(FREE, change(Map.of(name, "x")), ENROLLED));
    }

    @Test
    void a_capability_name_of_64_characters_is_accepted() {
        assertThat(decide(FREE, enrol(Map.of("g".repeat(64), "x")))).isInstanceOf(Accepted.class);
        assertThat(decide(FREE, enrol(Map.of("\uD83D\uDE80".repeat(64), "x"))))
                .isInstanceOf(Accepted.class);
    }

    @Test
    void a_too_long_capability_name_gets_the_message_that_clients_match() {
        assertThat(decide(FREE, change(Map.of("g".repeat(65), "x")), ENROLLED))
                .isEqualTo(
                        new Rejected(
                                new InvalidCapability(
                                        "g".repeat(65), "Extra capability key too long")));
    }

    @Test
    void a_command_with_a_duplicate_capability_is_rejected() {
        Map<String, String> twice = Map.of("gpu", "V100", "capabilities:gpu", "A100");

        assertInvalid("capabilities:gpu", decide(FREE, enrol(twice)));
        assertInvalid("capabilities:gpu", decide(FREE, change(twice), ENROLLED));
        assertInvalid(
                "gpu",
                decide(
                        FREE,
                        new ChangeResource(ID, Map.of("gpu", "x"), Set.of("capabilities:gpu")),
                        ENROLLED));
    }

    @Test
    void a_change_event_contains_only_differences() {
        assertThat(
                        decide(
                                FREE,
                                new ChangeResource(
                                        ID,
                                        Map.of("gpu", "V100", "rack", "b", "ssd", "yes"),
                                        Set.of("unknown")),
                                ENROLLED))
                .isEqualTo(
                        accepted(
                                new ResourceChanged(
                                        ID, Map.of("rack", "b", "ssd", "yes"), Set.of())));
    }

    @Test
    void a_repeated_change_does_nothing() {
        ChangeResource change = new ChangeResource(ID, Map.of("gpu", "A100"), Set.of("rack"));
        ResourceChanged changed = new ResourceChanged(ID, Map.of("gpu", "A100"), Set.of("rack"));

        assertThat(decide(FREE, change, ENROLLED)).isEqualTo(accepted(changed));
        assertThat(decide(FREE, change, ENROLLED, changed)).isEqualTo(accepted());
    }

    @Test
    void a_property_that_a_reservation_relies_on_cannot_be_changed() {
        ResourceConstraints relied =
                standing(
                        new Reliance(WEEKLY, Set.of("gpu", "vcpus")),
                        new Reliance(NIGHTLY, Set.of("ssd")),
                        new Reliance(NIGHTLY, Set.of("capabilities:rack")));

        assertThat(decide(relied, change(Map.of("gpu", "A100")), ENROLLED))
                .isEqualTo(reliedOn(Set.of("gpu"), WEEKLY));
        assertThat(decide(relied, change(Map.of(), "rack"), ENROLLED))
                .isEqualTo(reliedOn(Set.of("rack"), NIGHTLY));
        assertThat(decide(relied, change(Map.of("capabilities:ssd", "no"), "gpu"), ENROLLED))
                .isEqualTo(reliedOn(Set.of("gpu", "ssd"), WEEKLY, NIGHTLY));
    }

    @Test
    void a_change_is_accepted_if_no_relied_on_property_differs() {
        ResourceConstraints relied = standing(new Reliance(WEEKLY, Set.of("gpu")));

        assertThat(decide(relied, change(Map.of("gpu", "V100", "rack", "b"), "ssd"), ENROLLED))
                .isEqualTo(accepted(new ResourceChanged(ID, Map.of("rack", "b"), Set.of())));
    }

    @Test
    void a_disabled_resource_can_be_changed() {
        assertThat(decide(FREE, change(Map.of("rack", "b")), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted(new ResourceChanged(ID, Map.of("rack", "b"), Set.of())));
    }

    @Test
    void disabling_names_each_affected_lease_once() {
        ResourceConstraints reserved =
                standing(
                        new Reliance(WEEKLY, Set.of()),
                        new Reliance(NIGHTLY, Set.of("gpu")),
                        new Reliance(WEEKLY, Set.of("gpu")));

        assertThat(decide(reserved, new DisableResource(ID, "broken fan"), ENROLLED))
                .isEqualTo(
                        accepted(new ResourceDisabled(ID, "broken fan", List.of(WEEKLY, NIGHTLY))));
    }

    @Test
    void disabling_again_for_the_same_reason_does_nothing() {
        assertThat(decide(FREE, new DisableResource(ID, "broken fan"), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted());
    }

    @Test
    void an_outage_report_disables_or_enables_a_resource() {
        ResourceDisabled down =
                new ResourceDisabled(ID, "The cloud: down", List.of(), OutageExtent.DOWN);
        ResourceDisabled closed =
                new ResourceDisabled(ID, "The cloud: closed", List.of(), OutageExtent.CLOSED);

        assertThat(decide(FREE, new ReportOutage(ID, Outage.down("down")), ENROLLED))
                .isEqualTo(accepted(down));
        assertThat(decide(FREE, new ReportOutage(ID, Outage.down("down")), ENROLLED, down))
                .isEqualTo(accepted());
        assertThat(decide(FREE, new ReportOutage(ID, Outage.closed("closed")), ENROLLED, down))
                .isEqualTo(accepted(closed));
        assertThat(decide(FREE, new ReportOutage(ID, null), ENROLLED, down))
                .isEqualTo(accepted(new ResourceEnabled(ID)));
        assertThat(decide(FREE, new ReportOutage(ID, null), ENROLLED)).isEqualTo(accepted());
    }

    @Test
    void an_outage_report_does_not_change_a_manually_disabled_resource() {
        assertThat(decide(FREE, new ReportOutage(ID, Outage.down("down")), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted());
        assertThat(decide(FREE, new ReportOutage(ID, null), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted());
    }

    @Test
    void a_report_with_different_attributes_is_recorded_once() {
        ReportAttributes report = report(Map.of("vcpus", 8, "local_gb", 100));
        ResourceDescribed described = described(Map.of("vcpus", 8, "local_gb", 100));

        assertThat(decide(FREE, report, ENROLLED)).isEqualTo(accepted(described));
        assertThat(decide(FREE, report, ENROLLED, IN_REPAIR)).isEqualTo(accepted(described));
        assertThat(decide(FREE, report, ENROLLED, described)).isEqualTo(accepted());
        assertThat(decide(FREE, report, ENROLLED, IN_REPAIR, described, new ResourceEnabled(ID)))
                .isEqualTo(accepted());
        assertThat(decide(FREE, report(Map.of("vcpus", 8L, "memory_mb", 4096L)), ENROLLED))
                .as("the same numbers")
                .isEqualTo(accepted());
    }

    @Test
    void a_change_of_the_zone_or_region_is_a_difference() {
        Map<String, Object> attributes = Map.of("vcpus", 8, "memory_mb", 4096);

        assertThat(decide(FREE, new ReportAttributes(ID, "RegionOne", null, attributes), ENROLLED))
                .isEqualTo(
                        accepted(
                                new ResourceDescribed(
                                        ID, "RegionOne", null, attributes, List.of())));
        assertThat(
                        new ReportAttributes(ID, "RegionTwo", null, Map.of())
                                .differences("RegionOne", "nova", attributes))
                .containsExactly("memory_mb", "region", "vcpus", "zone");
    }

    @Test
    void a_report_names_the_leases_that_rely_on_changed_attributes() {
        ResourceConstraints relied =
                standing(
                        new Reliance(WEEKLY, Set.of("vcpus", "gpu")),
                        new Reliance(NIGHTLY, Set.of("memory_mb")));
        Map<String, Object> smaller = Map.of("vcpus", 4, "memory_mb", 4096);

        assertThat(decide(relied, report(smaller), ENROLLED))
                .isEqualTo(accepted(described(smaller, WEEKLY)));
        assertThat(decide(relied, report(Map.of("vcpus", 8)), ENROLLED))
                .isEqualTo(accepted(described(Map.of("vcpus", 8), NIGHTLY)));
    }

    @Test
    void a_capability_takes_precedence_over_a_later_reported_attribute() {
        Map<String, Object> attributes = Map.of("vcpus", 8, "memory_mb", 4096, "gpu", "none");
        ResourceDescribed described = described(attributes);
        ResourceConstraints relied = standing(new Reliance(WEEKLY, Set.of("gpu")));

        assertThat(decide(relied, report(attributes), ENROLLED)).isEqualTo(accepted(described));
        assertThat(decide(FREE, change(Map.of("gpu", "A100")), ENROLLED, described))
                .isEqualTo(accepted(new ResourceChanged(ID, Map.of("gpu", "A100"), Set.of())));
        assertInvalid(
                "gpu",
                decide(
                        FREE,
                        change(Map.of("gpu", "A100")),
                        ENROLLED,
                        described,
                        new ResourceChanged(ID, Map.of(), Set.of("gpu"))));
    }

    @Test
    void equal_values_of_different_types_are_no_difference() {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("parts", Arrays.asList(1L, null, Map.of("size", new BigDecimal("1.50"))));
        said.put("none", null);

        assertThat(
                        report(said)
                                .differences(
                                        "RegionOne",
                                        "nova",
                                        Map.of(
                                                "parts",
                                                Arrays.asList(
                                                        1,
                                                        null,
                                                        Map.of("size", new BigDecimal("1.5"))))))
                .isEmpty();
    }

    @Test
    void a_disabled_resource_can_be_given_another_reason() {
        ResourceDisabled again = new ResourceDisabled(ID, "no spare part", List.of());

        assertThat(decide(FREE, new DisableResource(ID, "no spare part"), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted(again));
        assertThat(
                        decide(
                                FREE,
                                new DisableResource(ID, "no spare part"),
                                ENROLLED,
                                IN_REPAIR,
                                again))
                .isEqualTo(accepted());
    }

    @Test
    void a_disabled_resource_is_enabled_once() {
        ResourceEnabled enabled = new ResourceEnabled(ID);

        assertThat(decide(FREE, new EnableResource(ID), ENROLLED, IN_REPAIR))
                .isEqualTo(accepted(enabled));
        assertThat(decide(FREE, new EnableResource(ID), ENROLLED, IN_REPAIR, enabled))
                .isEqualTo(accepted());
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

    private static ResourceDecision decide(
            ResourceConstraints standing, ResourceCommand command, ResourceEvent... history) {
        return ResourceDecider.decide(command, history(history), standing);
    }

    private static Resource history(ResourceEvent... events) {
        Resource resource = new Resource.Absent();
        for (ResourceEvent event : events) {
            resource = resource.evolve(event);
        }
        return resource;
    }

    private static void assertInvalid(String name, ResourceDecision decision) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected ->
                                assertThat(rejected.rejection())
                                        .isInstanceOfSatisfying(
                                                InvalidCapability.class,
                                                invalid ->
                                                        assertThat(invalid.name())
                                                                .isEqualTo(name)));
    }

    private static EnrolResource enrol(Map<String, String> capabilities) {
        return new EnrolResource(
                ID,
                ResourceKind.PHYSICAL_HOST,
                "compute-7",
                "RegionOne",
                "nova",
                Map.of("vcpus", 8, "memory_mb", 4096),
                capabilities);
    }

    private static ReportAttributes report(Map<String, Object> attributes) {
        return new ReportAttributes(ID, "RegionOne", "nova", attributes);
    }

    private static ResourceDescribed described(
            Map<String, Object> attributes, LeaseId... affected) {
        return new ResourceDescribed(ID, "RegionOne", "nova", attributes, List.of(affected));
    }

    private static ChangeResource change(Map<String, String> set, String... removed) {
        return new ChangeResource(ID, set, Set.of(removed));
    }

    private static ResourceConstraints standing(Reliance... reliances) {
        return new ResourceConstraints(false, List.of(reliances));
    }

    private static Rejected reliedOn(Set<String> properties, LeaseId... leases) {
        return new Rejected(new PropertiesReliedOn(ID, properties, List.of(leases)));
    }

    private static Accepted accepted(ResourceEvent... events) {
        return new Accepted(List.of(events));
    }
}
