package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.inventory.ResourceConstraints.Reliance;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The attributes that the cloud reports. */
class ReportedAttributesTest extends ResourceDeciderFixture {

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
}
