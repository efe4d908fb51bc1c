package org.leasehold.query.rating;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Currency;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The type of a value in a table of FOCUS.
 *
 * @param section the format's place in the specification
 * @param wrong an invalid value
 */
record FocusType(String name, String section, Predicate<String> fits, String wrong) {

    private static final Pattern DECIMAL_VALUE = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?");

    private static final Pattern DATE_TIME_VALUE =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z");

    private static final JsonMapper JSON = new JsonMapper();

    static final FocusType STRING =
            new FocusType(
                    "String",
                    "StringHandling-A-001-M, A-007-M",
                    value -> !value.isBlank() && isUnicode(value),
                    " ");
    static final FocusType DECIMAL =
            new FocusType(
                    "Decimal",
                    "NumericFormat",
                    value -> DECIMAL_VALUE.matcher(value).matches(),
                    "+1,5");
    static final FocusType DATE_TIME =
            new FocusType(
                    "Date/Time",
                    "DateTimeFormat-A-001-M to A-003-M",
                    FocusType::isDateTime,
                    "2030-01-01T12:00:00.5+01:00");
    static final FocusType KEY_VALUE =
            new FocusType("JSON", "KeyValueFormat", FocusType::isKeyValue, "{\"a\": {\"b\": 1}}");
    static final FocusType CURRENCY =
            new FocusType("national currency", "CurrencyFormat", FocusType::isCurrency, "euro");

    private static boolean isUnicode(String value) {
        return value.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    }

    private static boolean isDateTime(String value) {
        try {
            return DATE_TIME_VALUE.matcher(value).matches()
                    && Instant.parse(value).isAfter(Instant.MIN);
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isCurrency(String value) {
        try {
            return Currency.getInstance(value).getDefaultFractionDigits() >= 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns whether a value is an object of texts, numbers, booleans and nulls. */
    private static boolean isKeyValue(String value) {
        try {
            JsonNode node = JSON.readTree(value);
            return node.isObject() && node.valueStream().noneMatch(JsonNode::isContainer);
        } catch (JacksonException e) {
            return false;
        }
    }
}
