package org.leasehold.resource.requirement;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Planning.Filter;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads Blazar's filter language, extended by {@code or}, {@code not} and {@code in}.
 *
 * <pre>
 * [op, "$key", "value"]           op is one of == = != &gt;= &lt;= &gt; &lt;
 * ["in", "$key", ["a", "b"]]      also ["in", "$key", "a", "b"]
 * ["and", filter, filter …]       ["or", filter, filter …]       ["not", filter]
 * </pre>
 *
 * <p>A key may be scoped, as in {@code $capabilities:gpu}. No text, an empty text and an empty list
 * mean no requirement.
 */
public final class RequirementParser {

    /** The longest filter that is read. */
    public static final int MAX_LENGTH = 8_192;

    /** The deepest nesting of filters. */
    public static final int MAX_DEPTH = 20;

    /** The most comparisons in a filter; every value of an {@code in} is one. */
    public static final int MAX_COMPARISONS = 100;

    private static final int MAX_QUOTE_LENGTH = 300;

    private static final Map<String, Operator> OPERATORS =
            Map.of(
                    "==", Operator.EQUAL,
                    "=", Operator.EQUAL,
                    "!=", Operator.NOT_EQUAL,
                    "<", Operator.LESS,
                    "<=", Operator.AT_MOST,
                    ">", Operator.GREATER,
                    ">=", Operator.AT_LEAST);

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private RequirementParser() {}

    /** The result of parsing. */
    public sealed interface Reading {

        record Understood(Requirement requirement) implements Reading {}

        /**
         * A text that is no filter.
         *
         * @param message names the filter, in Blazar's words
         */
        record Malformed(String message) implements Reading {}
    }

    /** Returns a filter as the text of a list; users also send the list itself. */
    public static String text(@Nullable Object filter) {
        return switch (filter) {
            case null -> "";
            case String text -> text;
            default -> JSON.writeValueAsString(filter);
        };
    }

    /** Parses a filter. */
    public static Reading parse(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return new Reading.Understood(Requirement.none());
        }
        return json(text)
                .flatMap(
                        json ->
                                isEmptyFilter(json)
                                        ? Optional.of(Requirement.none())
                                        : filter(json))
                .<Reading>map(Reading.Understood::new)
                .orElseGet(() -> malformed(text));
    }

    /** Returns the filters in some parameters; skips those that cannot be read. */
    public static List<Filter> filters(
            ResourceKind kind, Map<String, @Nullable Object> parameters, String... fields) {
        List<Filter> filters = new ArrayList<>();
        for (String field : fields) {
            if (parse(text(parameters.get(field))) instanceof Reading.Understood(var requirement)) {
                filters.add(new Filter(field, kind, requirement));
            }
        }
        return filters;
    }

    /** Returns the result for a text that is no filter. */
    public static Reading.Malformed malformed(String text) {
        boolean quotable = text.length() <= MAX_QUOTE_LENGTH;
        return new Reading.Malformed(
                "Malformed requirements "
                        + (quotable ? text : text.substring(0, MAX_QUOTE_LENGTH) + "…"));
    }

    private static Optional<JsonNode> json(String text) {
        if (text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readTree(text));
        } catch (JacksonException notJson) {
            return Optional.empty();
        }
    }

    private static boolean isEmptyFilter(JsonNode json) {
        return json.isArray() && json.isEmpty();
    }

    private static Optional<Requirement> filter(JsonNode json) {
        return new Descent().filter(json, 1);
    }

    /** One walk down a filter, which counts the comparisons. */
    private static final class Descent {

        private int comparisons;

        Optional<Requirement> filter(JsonNode json, int depth) {
            if (depth > MAX_DEPTH || !json.isArray() || json.size() < 2) {
                return Optional.empty();
            }
            String word = json.get(0).stringValueOpt().orElse("");
            return switch (word) {
                case "and" -> filters(json, depth).map(Requirement.And::new);
                case "or" -> filters(json, depth).map(Requirement.Or::new);
                case "not" ->
                        json.size() == 2
                                ? filter(json.get(1), depth + 1).map(Requirement.Not::new)
                                : Optional.empty();
                case "in" -> in(json);
                default -> comparison(word, json);
            };
        }

        private Optional<List<Requirement>> filters(JsonNode json, int depth) {
            List<Requirement> terms = new ArrayList<>();
            for (JsonNode term : json.values().stream().skip(1).toList()) {
                Optional<Requirement> understood = filter(term, depth + 1);
                if (understood.isEmpty()) {
                    return Optional.empty();
                }
                terms.add(understood.get());
            }
            return Optional.of(terms);
        }

        private Optional<Requirement> comparison(String word, JsonNode json) {
            @Nullable Operator operator = OPERATORS.get(word);
            if (operator == null || json.size() != 3 || !addComparisons(1)) {
                return Optional.empty();
            }
            return property(json.get(1))
                    .flatMap(
                            property ->
                                    value(json.get(2))
                                            .map(
                                                    value ->
                                                            new Requirement.Comparison(
                                                                    operator, property, value)));
        }

        private Optional<Requirement> in(JsonNode json) {
            if (json.size() < 3) {
                return Optional.empty();
            }
            boolean listed = json.size() == 3 && json.get(2).isArray();
            List<JsonNode> items =
                    listed
                            ? List.copyOf(json.get(2).values())
                            : json.values().stream().skip(2).toList();
            List<String> values = items.stream().flatMap(item -> value(item).stream()).toList();
            if (values.isEmpty()
                    || values.size() < items.size()
                    || !addComparisons(values.size())) {
                return Optional.empty();
            }
            return property(json.get(1)).map(property -> new Requirement.In(property, values));
        }

        private boolean addComparisons(int more) {
            comparisons += more;
            return comparisons <= MAX_COMPARISONS;
        }

        private static Optional<String> property(JsonNode json) {
            return json.stringValueOpt()
                    .filter(key -> key.startsWith("$"))
                    .map(key -> PropertyName.withoutScope(key.substring(1)))
                    .filter(Descent::isStorable);
        }

        private static Optional<String> value(JsonNode json) {
            return json.stringValueOpt().filter(Descent::isStorable);
        }

        // PostgreSQL stores neither U+0000 nor half of a surrogate pair, and property names are
        // stored with each claim that relies on them.
        private static boolean isStorable(String text) {
            return !text.isEmpty()
                    && text.codePoints()
                            .noneMatch(
                                    c ->
                                            c == 0
                                                    || (c >= Character.MIN_SURROGATE
                                                            && c <= Character.MAX_SURROGATE));
        }
    }
}
