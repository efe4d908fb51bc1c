package org.leasehold.resource.parameter;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Planning.Plan;

import java.util.Map;
import java.util.Optional;

/** Errors of parameters, in Blazar's words. */
public final class InvalidParameters {

    private InvalidParameters() {}

    /** Returns an error if the parameter is absent; its value may be null. */
    public static Optional<Plan.Invalid> absent(
            Map<String, @Nullable Object> parameters, String name) {
        return parameters.containsKey(name) ? Optional.empty() : missing(name);
    }

    /** Returns an error if the parameter has no value. */
    public static Optional<Plan.Invalid> withoutValue(
            Map<String, @Nullable Object> parameters, String name) {
        return parameters.get(name) != null ? Optional.empty() : missing(name);
    }

    private static Optional<Plan.Invalid> missing(String name) {
        return Optional.of(new Plan.Invalid(name, "Missing parameter " + name));
    }

    /** Returns an error for a value that has no meaning. */
    public static Optional<Plan.Invalid> malformed(String name) {
        return Optional.of(new Plan.Invalid(name, "Malformed parameter " + name));
    }

    /**
     * Returns an error for a value that has no meaning.
     *
     * @param rule what it must be
     */
    public static Optional<Plan.Invalid> malformed(String name, String rule) {
        return Optional.of(
                new Plan.Invalid(name, "Malformed parameter %s (%s)".formatted(name, rule)));
    }

    /** Returns an error if the parameter has a value that is not one of a few words. */
    public static <W extends Enum<W> & ParameterKeyword> Optional<Plan.Invalid> unknown(
            Map<String, @Nullable Object> parameters, String name, Class<W> words) {
        Object given = parameters.get(name);
        return given == null || ParameterKeyword.of(words, given).isPresent()
                ? Optional.empty()
                : malformed(
                        name, "must be one of " + String.join(", ", ParameterKeyword.all(words)));
    }
}
