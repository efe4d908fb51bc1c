package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.request.error.NearNames;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains why a body does not match its description, without terms of Java. */
final class JsonProblems {

    private static final int MAX_NAME_LENGTH = 100;

    private static final Pattern WORD_BOUNDARY = Pattern.compile("([a-z0-9])([A-Z])");

    /** A value of a map, or a key of it. */
    private static final Pattern MAP_ENTRY_PATH =
            Pattern.compile("((?:\\w+\\[\\d+]\\.)*\\w+)(?:<K>)?\\[(?!\\d+])(.*)]", Pattern.DOTALL);

    private static final JsonMapper JSON = JsonMapper.shared();

    private JsonProblems() {}

    static Problem of(JacksonException failure) {
        return switch (failure) {
            case UnrecognizedPropertyException unknown ->
                    Problem.ofField(path(unknown.getPath()), "is unknown" + suggestion(unknown));
            case InvalidFormatException invalid
                    when invalid.getCause() instanceof IllegalArgumentException why ->
                    Problem.ofField(path(invalid.getPath()), String.valueOf(why.getMessage()));
            case MismatchedInputException mismatch ->
                    Problem.ofField(
                            path(mismatch.getPath()), describeExpected(mismatch.getTargetType()));
            // A number that does not fit its field fails in the parser, not in its reader.
            case InputCoercionException misfit -> outOfRange(misfit);
            case DatabindException other when !other.getPath().isEmpty() ->
                    Problem.ofField(path(other.getPath()), "cannot be read");
            default -> malformed(failure);
        };
    }

    private static String suggestion(UnrecognizedPropertyException unknown) {
        Collection<Object> known = unknown.getKnownPropertyIds();
        return known == null
                ? ""
                : NearNames.suggestion(
                        unknown.getPropertyName(), known.stream().map(String::valueOf).toList());
    }

    private static Problem outOfRange(InputCoercionException misfit) {
        JsonParser parser = misfit.processor();
        return parser == null
                ? malformed(misfit)
                : Problem.ofField(
                        path(parser.streamReadContext()), describeExpected(misfit.getTargetType()));
    }

    private static Problem malformed(JacksonException failure) {
        TokenStreamLocation at = failure.getLocation();
        String where =
                at == null
                        ? ""
                        : " at line %s, column %s".formatted(at.getLineNr(), at.getColumnNr());
        return Problem.of(
                400, "malformed-json", "The request body is not valid JSON" + where + ".");
    }

    /** Returns the values that a field of a type accepts. */
    static String describeExpected(@Nullable Class<?> type) {
        if (type == null) {
            return "is of the wrong type";
        }
        if (type == Instant.class) {
            return TimeParser.INSTANT_MESSAGE;
        }
        if (type == Duration.class) {
            return TimeParser.DURATION_MESSAGE;
        }
        if (type == UUID.class) {
            return "must be a UUID";
        }
        if (type.isEnum()) {
            return "must be one of " + words(type);
        }
        if (type == Boolean.class || type == boolean.class) {
            return "must be true or false";
        }
        if (type == Integer.class
                || type == int.class
                || type == Long.class
                || type == long.class) {
            return "must be a whole number within its bounds";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "must be a text";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "must be a list";
        }
        return Map.class.isAssignableFrom(type) || type.isRecord()
                ? "must be an object"
                : "is of the wrong type";
    }

    /** Returns the constants of an enum as they are written in JSON. */
    private static List<String> words(Class<?> type) {
        return List.of(JSON.convertValue(type.getEnumConstants(), String[].class));
    }

    /** Returns a path such as {@code reservations[0].before_end}. */
    private static String path(List<JacksonException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : references) {
            String name = reference.getPropertyName();
            if (name == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(truncateName(name));
            }
        }
        return path.isEmpty() ? "body" : path.toString();
    }

    /** Returns the path of the current position of a parser. */
    static String path(TokenStreamContext context) {
        String path = pathInside(context);
        return path.isEmpty() ? "body" : path;
    }

    private static String pathInside(TokenStreamContext context) {
        TokenStreamContext parent = context.getParent();
        String prefix = parent == null ? "" : pathInside(parent);
        if (context.inArray()) {
            return prefix + "[" + context.getCurrentIndex() + "]";
        }
        String name = context.currentName();
        if (!context.inObject() || name == null) {
            return prefix;
        }
        return (prefix.isEmpty() ? "" : prefix + ".") + truncateName(name);
    }

    private static String truncateName(String name) {
        return name.length() <= MAX_NAME_LENGTH ? name : name.substring(0, MAX_NAME_LENGTH) + "…";
    }

    /** Returns the name of a record component in JSON. */
    static String toJsonName(String component) {
        return WORD_BOUNDARY.matcher(component).replaceAll("$1_$2").toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the JSON path of the subject of a validation error. Names below a map are the
     * caller's, and stay as they are: {@code capabilities[myGpu]} is {@code capabilities.myGpu}.
     */
    static String toJsonPath(String path) {
        Matcher key = MAP_ENTRY_PATH.matcher(path);
        return key.matches()
                ? toJsonName(key.group(1)) + "." + truncateName(key.group(2))
                : toJsonName(path);
    }
}
