package org.leasehold.resource.parameter;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Planning.Plan;

import java.util.Map;
import java.util.Optional;

/** What is wrong with a parameter, in Blazar's words. */
public final class Misfits {

    private Misfits() {}

    /** Nothing if the parameter is there, though its value may be null. */
    public static Optional<Plan.Invalid> absent(
            Map<String, @Nullable Object> parameters, String name) {
        return parameters.containsKey(name) ? Optional.empty() : missing(name);
    }

    /** Nothing if the parameter has a value. */
    public static Optional<Plan.Invalid> valueless(
            Map<String, @Nullable Object> parameters, String name) {
        return parameters.get(name) != null ? Optional.empty() : missing(name);
    }

    private static Optional<Plan.Invalid> missing(String name) {
        return Optional.of(new Plan.Invalid(name, "Missing parameter " + name));
    }

    /** It is nothing that could be meant. */
    public static Optional<Plan.Invalid> malformed(String name) {
        return Optional.of(new Plan.Invalid(name, "Malformed parameter " + name));
    }

    /**
     * It is nothing that could be meant.
     *
     * @param rule what it must be
     */
    public static Optional<Plan.Invalid> malformed(String name, String rule) {
        return Optional.of(
                new Plan.Invalid(name, "Malformed parameter %s (%s)".formatted(name, rule)));
    }

    /** Nothing if the parameter has no value, or one of a few. */
    public static <W extends Enum<W> & Word> Optional<Plan.Invalid> unknown(
            Map<String, @Nullable Object> parameters, String name, Class<W> words) {
        Object given = parameters.get(name);
        return given == null || Word.of(words, given).isPresent()
                ? Optional.empty()
                : malformed(name, "must be one of " + String.join(", ", Word.all(words)));
    }
}
