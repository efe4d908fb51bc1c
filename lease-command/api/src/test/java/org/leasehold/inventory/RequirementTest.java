package org.leasehold.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.inventory.Requirement.And;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.In;
import org.leasehold.inventory.Requirement.Not;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.Requirement.Or;

import java.util.List;
import java.util.Map;

class RequirementTest {

    private static final Comparison GPU = new Comparison(Operator.EQUAL, "gpu", "V100");
    private static final Comparison BIG = new Comparison(Operator.AT_LEAST, "vcpus", "16");

    @ParameterizedTest
    @CsvSource({
        "9, LESS, 10, true",
        "10, GREATER, 9, true",
        "9, GREATER, 10, false",
        "10, AT_LEAST, 10.0, true",
        "10, EQUAL, 10.00, true",
        "10, NOT_EQUAL, 1e1, false",
        "-2, LESS, -1, true",
        ".5, AT_MOST, 0.5, true",
        "99999999999999999999, GREATER, 99999999999999999998, true"
    })
    void numbers_are_compared_as_numbers(String has, Operator operator, String wants, boolean met) {
        assertThat(met(has, operator, wants)).isEqualTo(met);
    }

    @ParameterizedTest
    @CsvSource({
        "V100, EQUAL, V100, true",
        "V100, EQUAL, v100, false",
        "V100, NOT_EQUAL, A100, true",
        "abc, LESS, abd, true",
        "9a, GREATER, 10a, true",
        "9, GREATER, ten, false",
        "10.0.0.2, EQUAL, 10.0.0.2, true"
    })
    void other_values_are_compared_as_text(
            String has, Operator operator, String wants, boolean met) {
        assertThat(met(has, operator, wants)).isEqualTo(met);
    }

    @Test
    void numbers_with_huge_exponents_are_compared() {
        assertThat(met("1e2000000000", Operator.GREATER, "1e-2000000000")).isTrue();
        assertThat(met("1e2000000000", Operator.EQUAL, "10e1999999999")).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void a_resource_that_lacks_the_property_meets_no_comparison(Operator operator) {
        assertThat(new Comparison(operator, "gpu", "V100").isMetBy(Map.of("vcpus", "4"))).isFalse();
    }

    @Test
    void a_resource_that_lacks_the_property_meets_no_in_requirement() {
        assertThat(new In("gpu", List.of("V100")).isMetBy(Map.of())).isFalse();
    }

    @Test
    void not_inverts_the_term() {
        assertThat(new Not(GPU).isMetBy(Map.of("gpu", "A100"))).isTrue();
        assertThat(new Not(GPU).isMetBy(Map.of("gpu", "V100"))).isFalse();
        assertThat(new Not(GPU).isMetBy(Map.of())).as("a resource without any gpu").isTrue();
    }

    @Test
    void in_compares_like_equals() {
        In two = new In("vcpus", List.of("8", "16.0"));

        assertThat(two.isMetBy(Map.of("vcpus", "16"))).isTrue();
        assertThat(two.isMetBy(Map.of("vcpus", "4"))).isFalse();
    }

    @Test
    void and_needs_all_and_or_needs_one() {
        Map<String, String> gpuOnly = Map.of("gpu", "V100", "vcpus", "8");
        Map<String, String> both = Map.of("gpu", "V100", "vcpus", "16");

        assertThat(new And(List.of(GPU, BIG)).isMetBy(gpuOnly)).isFalse();
        assertThat(new And(List.of(GPU, BIG)).isMetBy(both)).isTrue();
        assertThat(new Or(List.of(GPU, BIG)).isMetBy(gpuOnly)).isTrue();
        assertThat(new Or(List.of(GPU, BIG)).isMetBy(Map.of("vcpus", "8"))).isFalse();
    }

    @Test
    void every_resource_meets_the_empty_requirement() {
        assertThat(Requirement.none().isMetBy(Map.of())).isTrue();
        assertThat(Requirement.none().properties()).isEmpty();
    }

    @Test
    void a_requirement_lists_the_properties_that_it_compares() {
        assertThat(
                        new And(
                                        List.of(
                                                new Not(new Or(List.of(GPU, BIG))),
                                                new In("rack", List.of("a"))))
                                .properties())
                .containsExactly("gpu", "rack", "vcpus");
    }

    @Test
    void scoped_and_plain_names_are_the_same_name() {
        assertThat(new PropertyName("capabilities:gpu")).isEqualTo(new PropertyName("gpu"));
        assertThatThrownBy(() -> new PropertyName("capabilities:"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static boolean met(String has, Operator operator, String wants) {
        return new Comparison(operator, "property", wants).isMetBy(Map.of("property", has));
    }
}
