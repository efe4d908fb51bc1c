package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.command.inventory.ResourceDecision.Accepted;
import org.leasehold.command.inventory.ResourceDecision.Rejected;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceRejection.InvalidCapability;
import org.leasehold.inventory.ResourceRejection.PropertiesReliedOn;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The capabilities of an enrolled resource, and their names. */
class ResourceCapabilitiesTest extends ResourceDeciderFixture {

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

    private static Rejected reliedOn(Set<String> properties, LeaseId... leases) {
        return new Rejected(new PropertiesReliedOn(ID, properties, List.of(leases)));
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
}
