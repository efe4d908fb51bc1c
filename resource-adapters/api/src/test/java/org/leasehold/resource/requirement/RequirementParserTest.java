package org.leasehold.resource.requirement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.And;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.In;
import org.leasehold.inventory.Requirement.Not;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.Requirement.Or;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class RequirementParserTest {

    private static final Comparison V100 = new Comparison(Operator.EQUAL, "gpu", "V100");
    private static final Comparison BIG = new Comparison(Operator.AT_LEAST, "memory_mb", "4096");

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "[]", "  ", " [ ] "})
    void an_empty_filter_has_no_requirement(String text) {
        assertThat(understood(text)).isEqualTo(Requirement.none());
    }

    @ParameterizedTest
    @CsvSource({
        "==, EQUAL",
        "=, EQUAL",
        "!=, NOT_EQUAL",
        ">=, AT_LEAST",
        "<=, AT_MOST",
        ">, GREATER",
        "<, LESS"
    })
    void each_operator_is_understood(String word, Operator operator) {
        assertThat(understood("[\"" + word + "\", \"$vcpus\", \"4\"]"))
                .isEqualTo(new Comparison(operator, "vcpus", "4"));
    }

    @Test
    void scoped_and_plain_names_mean_the_same() {
        assertThat(understood("[\"==\", \"$capabilities:gpu\", \"V100\"]"))
                .isEqualTo(understood("[\"==\", \"$gpu\", \"V100\"]"))
                .isEqualTo(V100);
    }

    @Test
    void a_nested_and_keeps_all_conditions() {
        assertThat(
                        understood(
                                """
                                ["and", ["and", ["==","$gpu","V100"], [">=","$memory_mb","4096"]],
                                        ["<","$rack","7"]]
                                """))
                .isEqualTo(
                        new And(
                                List.of(
                                        new And(List.of(V100, BIG)),
                                        new Comparison(Operator.LESS, "rack", "7"))));
    }

    @Test
    void or_and_not_combine_filters() {
        assertThat(
                        understood(
                                """
                                ["or", ["not", ["==","$gpu","V100"]], [">=","$memory_mb","4096"]]
                                """))
                .isEqualTo(new Or(List.of(new Not(V100), BIG)));
    }

    @Test
    void in_takes_a_list_or_the_values_themselves() {
        In oneOfTwo = new In("gpu", List.of("V100", "A100"));

        assertThat(understood("[\"in\", \"$gpu\", [\"V100\", \"A100\"]]")).isEqualTo(oneOfTwo);
        assertThat(understood("[\"in\", \"$capabilities:gpu\", \"V100\", \"A100\"]"))
                .isEqualTo(oneOfTwo);
    }

    @Test
    void names_and_values_may_hold_blanks_colons_and_dollars() {
        assertThat(understood("[\"==\", \"$rack row:$1\", \"a b $c\"]"))
                .isEqualTo(new Comparison(Operator.EQUAL, "rack row:$1", "a b $c"));
    }

    @Test
    void a_parsed_filter_selects_matching_attributes() {
        Requirement filter =
                understood(
                        "[\"and\", [\">\",\"$vcpus\",\"9\"], [\"not\","
                                + " [\"in\",\"$rack\",\"a\",\"b\"]]]");

        assertThat(filter.isMetBy(Map.of("vcpus", "10", "rack", "c"))).isTrue();
        assertThat(filter.isMetBy(Map.of("vcpus", "10", "rack", "a"))).isFalse();
        assertThat(filter.isMetBy(Map.of("vcpus", "8", "rack", "c"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpu",
                "{}",
                "null",
                "5",
                "\"and\"",
                "[",
                "[] []",
                "[\"==\"]",
                "[\"==\", \"$gpu\"]",
                "[\"==\", \"gpu\", \"V100\"]",
                "[\"==\", \"$\", \"V100\"]",
                "[\"==\", \"$capabilities:\", \"V100\"]",
                "[\"==\", \"$gpu\", \"\"]",
                "[\"==\", \"$gpu\", 5]",
                "[\"==\", \"$gpu\", null]",
                "[\"==\", \"$gpu\", \"a\", \"b\"]",
                "[\"==\", 5, \"a\"]",
                "[5, \"$gpu\", \"a\"]",
                "[\"=~\", \"$gpu\", \"a\"]",
                "[\"AND\", [\"==\", \"$gpu\", \"a\"]]",
                "[\"and\"]",
                "[\"or\"]",
                "[\"not\"]",
                "[\"and\", []]",
                "[\"and\", \"$gpu\", \"a\"]",
                "[\"not\", [\"==\", \"$gpu\", \"a\"], [\"==\", \"$gpu\", \"b\"]]",
                "[\"in\", \"$gpu\"]",
                "[\"in\", \"$gpu\", []]",
                "[\"in\", \"$gpu\", [\"a\", 5]]",
                "[\"in\", \"$gpu\", \"a\", \"\"]",
                "[\"in\", \"gpu\", \"a\"]",
                "[[\"==\", \"$gpu\", \"a\"]]",
                "[\"==\", \"$g\\u0000\", \"a\"]",
                "[\"==\", \"$gpu\", \"\\u0000\"]",
                "[\"==\", \"$\\ud800\", \"a\"]",
            })
    void a_filter_with_invalid_syntax_is_malformed(String text) {
        assertThat(RequirementParser.parse(text))
                .isEqualTo(new Reading.Malformed("Malformed requirements " + text));
    }

    @Test
    void a_filter_has_up_to_20_levels() {
        assertThat(RequirementParser.parse(nested(20))).isInstanceOf(Reading.Understood.class);
        assertThat(RequirementParser.parse(nested(21))).isInstanceOf(Reading.Malformed.class);
        assertThat(RequirementParser.parse("[".repeat(8_000)))
                .isInstanceOf(Reading.Malformed.class);
    }

    @Test
    void a_filter_has_up_to_100_comparisons() {
        assertThat(RequirementParser.parse(wide(100))).isInstanceOf(Reading.Understood.class);
        assertThat(RequirementParser.parse(wide(101))).isInstanceOf(Reading.Malformed.class);
    }

    @Test
    void a_filter_of_more_than_8192_characters_gets_a_short_error() {
        String longest = "[\"==\", \"$gpu\", \"" + "x".repeat(8_174) + "\"]";
        assertThat(longest).hasSize(8_192);

        assertThat(RequirementParser.parse(longest)).isInstanceOf(Reading.Understood.class);
        assertThat(RequirementParser.parse(longest + " "))
                .isInstanceOfSatisfying(
                        Reading.Malformed.class,
                        malformed -> assertThat(malformed.message()).hasSizeLessThan(400));
    }

    private static String nested(int depth) {
        return "[\"not\", ".repeat(depth - 1) + "[\"==\",\"$gpu\",\"a\"]" + "]".repeat(depth - 1);
    }

    private static String wide(int comparisons) {
        return IntStream.range(0, comparisons / 2)
                        .mapToObj(i -> "[\"==\",\"$k" + i + "\",\"a\"]")
                        .collect(Collectors.joining(",", "[\"and\",", ""))
                + IntStream.range(0, comparisons - comparisons / 2)
                        .mapToObj(i -> "\"v" + i + "\"")
                        .collect(Collectors.joining(",", ",[\"in\",\"$gpu\",[", "]]]"));
    }

    private static Requirement understood(String text) {
        return switch (RequirementParser.parse(text)) {
            case Reading.Understood(Requirement requirement) -> requirement;
            case Reading.Malformed(String message) -> throw new AssertionError(message);
        };
    }
}
