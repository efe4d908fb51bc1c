package org.leasehold.resource.requirement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.In;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.util.Collections;
import java.util.List;

class RequirementFormatterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[\"in\",\"$gpu\",[\"V100\",\"A100\"]]",
                "[\"and\",[\"==\",\"$gpu\",\"V100\"],[\">=\",\"$memory_mb\",\"4096\"]]",
                "[\"or\",[\"not\",[\"==\",\"$gpu\",\"say \\\"V100\\\"\"]],[\"<\",\"$rack\",\"7\"]]"
            })
    void a_parsed_filter_is_written_unchanged(String text) {
        assertThat(RequirementFormatter.of(understood(text))).hasValue(text);
    }

    @ParameterizedTest
    @EnumSource
    void each_operator_can_be_written_and_parsed(Operator operator) {
        Requirement requirement = new Comparison(operator, "vcpus", "4");

        assertThat(understood(RequirementFormatter.of(requirement).orElseThrow()))
                .isEqualTo(requirement);
    }

    @Test
    void another_spelling_is_written_in_the_canonical_form() {
        assertThat(
                        RequirementFormatter.of(
                                understood(" [\"=\", \"$capabilities:gpu\", \"V100\" ]")))
                .hasValue("[\"==\",\"$gpu\",\"V100\"]");
    }

    @Test
    void a_requirement_beyond_the_filter_rules_is_not_written() {
        Requirement longest =
                new In("rack", Collections.nCopies(RequirementParser.MAX_COMPARISONS, "7"));

        assertThat(RequirementFormatter.of(longest)).isPresent();
        assertThat(
                        RequirementFormatter.of(
                                longest.and(new Comparison(Operator.EQUAL, "gpu", "V100"))))
                .isEmpty();
        assertThat(RequirementFormatter.of(new In("rack", List.of("")))).isEmpty();
    }

    private static Requirement understood(String text) {
        return ((Reading.Understood) RequirementParser.parse(text)).requirement();
    }
}
