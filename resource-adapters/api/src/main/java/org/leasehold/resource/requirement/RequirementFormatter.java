package org.leasehold.resource.requirement;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes requirements as {@link RequirementParser} reads them; equal ones have equal texts. */
public final class RequirementFormatter {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private RequirementFormatter() {}

    /** Returns the text; empty if no filter can say it: two together may exceed a limit. */
    public static Optional<String> of(Requirement requirement) {
        String text = JSON.writeValueAsString(filter(requirement));
        return Optional.of(text)
                .filter(
                        written ->
                                RequirementParser.parse(written)
                                        .equals(new Reading.Understood(requirement)));
    }

    private static List<Object> filter(Requirement requirement) {
        return switch (requirement) {
            case Requirement.Comparison(Operator operator, String property, String value) ->
                    List.of(word(operator), "$" + property, value);
            case Requirement.In(String property, List<String> values) ->
                    List.of("in", "$" + property, values);
            case Requirement.And(List<Requirement> terms) ->
                    terms.isEmpty() ? List.of() : filters("and", terms);
            case Requirement.Or(List<Requirement> terms) -> filters("or", terms);
            case Requirement.Not(Requirement term) -> filters("not", List.of(term));
        };
    }

    private static List<Object> filters(String word, List<Requirement> terms) {
        List<Object> filters = new ArrayList<>();
        filters.add(word);
        terms.forEach(term -> filters.add(filter(term)));
        return filters;
    }

    private static String word(Operator operator) {
        return switch (operator) {
            case EQUAL -> "==";
            case NOT_EQUAL -> "!=";
            case LESS -> "<";
            case AT_MOST -> "<=";
            case GREATER -> ">";
            case AT_LEAST -> ">=";
        };
    }
}
