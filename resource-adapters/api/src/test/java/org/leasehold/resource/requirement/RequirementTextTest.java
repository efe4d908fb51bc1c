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

class RequirementTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[\"in\",\"$gpu\",[\"V100\",\"A100\"]]",
                "[\"and\",[\"==\",\"$gpu\",\"V100\"],[\">=\",\"$memory_mb\",\"4096\"]]",
                "[\"or\",[\"not\",[\"==\",\"$gpu\",\"say \\\"V100\\\"\"]],[\"<\",\"$rack\",\"7\"]]"
            })
    void what_was_read_is_written_as_it_was(String text) {
        assertThat(RequirementText.of(understood(text))).hasValue(text);
    }

    @ParameterizedTest
    @EnumSource
    void each_operator_has_its_word(Operator operator) {
        Requirement requirement = new Comparison(operator, "vcpus", "4");

        assertThat(understood(RequirementText.of(requirement).orElseThrow()))
                .isEqualTo(requirement);
    }

    @Test
    void spelled_otherwise_it_is_the_same() {
        assertThat(RequirementText.of(understood(" [\"=\", \"$capabilities:gpu\", \"V100\" ]")))
                .hasValue("[\"==\",\"$gpu\",\"V100\"]");
    }

    @Test
    void more_than_a_filter_may_say_is_not_written() {
        Requirement most =
                new In("rack", Collections.nCopies(RequirementParser.MAX_COMPARISONS, "7"));

        assertThat(RequirementText.of(most)).isPresent();
        assertThat(RequirementText.of(most.and(new Comparison(Operator.EQUAL, "gpu", "V100"))))
                .isEmpty();
        assertThat(RequirementText.of(new In("rack", List.of("")))).isEmpty();
    }

    private static Requirement understood(String text) {
        return ((Reading.Understood) RequirementParser.parse(text)).requirement();
    }
}
