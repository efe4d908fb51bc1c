package org.leasehold.seal;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * JSON in the canonical form of RFC 8785, so that equal values have equal bytes: no space, members
 * in the order of their names' UTF-16, numbers as ECMAScript prints doubles.
 *
 * <p>The RFC rounds a number that is not exactly a double. A seal must not: two different amounts
 * would have one seal. Such a number is written as <code>{"$number":"…"}</code>, with all of its
 * digits. A member that already has that name gets another <code>$</code>, so that the two cannot
 * be confused.
 */
public final class JsonCanonical {

    /** The most digits that PostgreSQL stores of a number; beyond the reader's own limit. */
    private static final int MAX_NUMBER_LENGTH = 150_000;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNumberLength(MAX_NUMBER_LENGTH)
                                    .build())
                    .build();

    private static final int ECMASCRIPT_DIGITS = 21;
    private static final int ECMASCRIPT_ZEROS = -6;

    /** The name of a member that represents a number, or could be mistaken for one. */
    private static final Pattern NUMBER_MEMBER = Pattern.compile("\\$+number");

    private JsonCanonical() {}

    /**
     * Returns the canonical form of a text.
     *
     * @throws IllegalArgumentException if it is not one JSON value, repeats a member's name, or has
     *     half of a surrogate pair
     */
    public static String of(String json) {
        return write(read(json));
    }

    /**
     * Reads a text: objects become maps in canonical order, arrays lists, numbers {@link
     * BigDecimal}s.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    static @Nullable Object read(String json) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one value");
            }
            return value;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case null, default -> throw new IllegalArgumentException("no value");
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) {
        Map<String, @Nullable Object> object = new TreeMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            object.put(name, value(parser));
        }
        return object;
    }

    private static List<@Nullable Object> array(JsonParser parser) {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser));
        }
        return array;
    }

    /** Returns the canonical form of a read value, or of maps, lists, texts and whole numbers. */
    static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Boolean truth -> out.append(truth.booleanValue());
            case String text -> string(text, out);
            case BigDecimal number -> number(number, out);
            case Long number -> number(BigDecimal.valueOf(number), out);
            case List<?> array -> array(array, out);
            case Map<?, ?> object -> object(object, out);
            default -> throw new IllegalArgumentException("not JSON: " + value.getClass());
        }
    }

    private static void array(List<?> array, StringBuilder out) {
        out.append('[');
        Iterator<?> each = array.iterator();
        while (each.hasNext()) {
            write(each.next(), out);
            if (each.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    private static void object(Map<?, ?> object, StringBuilder out) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        object.forEach((name, value) -> members.put(escaped((String) name), value));
        out.append('{');
        Iterator<Map.Entry<String, @Nullable Object>> each = members.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, @Nullable Object> member = each.next();
            string(member.getKey(), out);
            out.append(':');
            write(member.getValue(), out);
            if (each.hasNext()) {
                out.append(',');
            }
        }
        out.append('}');
    }

    private static String escaped(String name) {
        return name.startsWith("$") && NUMBER_MEMBER.matcher(name).matches() ? "$" + name : name;
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ') {
                        out.append("\\u00").append(c < 0x10 ? '0' : '1');
                        out.append(Character.forDigit(c & 0xf, 16));
                    } else if (Character.isSurrogate(c)) {
                        if (!Character.isSurrogatePair(
                                c, i + 1 < text.length() ? text.charAt(i + 1) : ' ')) {
                            throw new IllegalArgumentException("half of a surrogate pair");
                        }
                        out.append(c).append(text.charAt(++i));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static void number(BigDecimal number, StringBuilder out) {
        double nearest = number.doubleValue();
        if (Double.isFinite(nearest)) {
            String printed = formatDouble(nearest);
            if (new BigDecimal(printed).compareTo(number) == 0) {
                out.append(printed);
                return;
            }
        }
        out.append("{\"$number\":\"").append(number.stripTrailingZeros()).append("\"}");
    }

    /**
     * Returns a double as ECMAScript prints it.
     *
     * @throws IllegalArgumentException for infinity and NaN, which JSON does not have
     */
    static String formatDouble(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("no number of JSON's: " + number);
        }
        if (number == 0) {
            return "0";
        }
        BigDecimal shortest = shortest(Math.abs(number));
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        return (number < 0 ? "-" : "") + withDecimalPoint(digits, point);
    }

    /** Returns the shortest digits. The JDK prints the shortest, too, but never a single one. */
    private static BigDecimal shortest(double number) {
        BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        if (digits.precision() == 2) {
            BigDecimal one = new BigDecimal(number).round(new java.math.MathContext(1));
            if (one.doubleValue() == number) {
                return one.stripTrailingZeros();
            }
        }
        return digits;
    }

    /** Returns the digits with the decimal point after a number of them. */
    private static String withDecimalPoint(String digits, int point) {
        if (point > ECMASCRIPT_DIGITS || point <= ECMASCRIPT_ZEROS) {
            int exponent = point - 1;
            String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
            return digits.charAt(0)
                    + fraction
                    + "e"
                    + (exponent < 0 ? "-" : "+")
                    + Math.abs(exponent);
        }
        if (point >= digits.length()) {
            return digits + "0".repeat(point - digits.length());
        }
        return point > 0
                ? digits.substring(0, point) + "." + digits.substring(point)
                : "0." + "0".repeat(-point) + digits;
    }
}
