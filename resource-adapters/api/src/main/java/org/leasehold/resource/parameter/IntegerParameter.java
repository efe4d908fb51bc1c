package org.leasehold.resource.parameter;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/** Blazar's notion of "like an integer": a plain integer, as a number or a text. */
public final class IntegerParameter {

    // Twenty digits are beyond every bound, and short enough to convert.
    private static final Pattern PLAIN = Pattern.compile("0|-?[1-9][0-9]{0,19}");

    private IntegerParameter() {}

    public static Optional<BigInteger> of(@Nullable Object value) {
        return switch (value) {
            case Integer number -> Optional.of(BigInteger.valueOf(number));
            case Long number -> Optional.of(BigInteger.valueOf(number));
            case BigInteger number -> Optional.of(number);
            case String text when PLAIN.matcher(text).matches() ->
                    Optional.of(new BigInteger(text));
            case null, default -> Optional.empty();
        };
    }
}
