package org.leasehold.gateway.api.resource;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON numbers: in JSON Schema, {@code 1.0} is the integer 1. */
final class IntegerNormalization {

    /** More digits than any bound has; a larger exponent would only cost memory. */
    private static final int MAX_DIGITS = 20;

    private IntegerNormalization() {}

    /** Returns the same parameters, with whole numbers as integers. */
    static Map<String, @Nullable Object> normalize(Map<String, @Nullable Object> parameters) {
        Map<String, @Nullable Object> whole = new LinkedHashMap<>(parameters);
        whole.replaceAll((_, value) -> normalize(value));
        return whole;
    }

    private static @Nullable Object normalize(@Nullable Object value) {
        if (!(value instanceof BigDecimal number)) {
            return value;
        }
        BigDecimal plain = number.stripTrailingZeros();
        boolean isWhole =
                plain.scale() <= 0 && (long) plain.precision() - plain.scale() <= MAX_DIGITS;
        if (!isWhole) {
            return value;
        }
        BigInteger integer = plain.toBigIntegerExact();
        return integer.bitLength() < Integer.SIZE
                ? (Object) integer.intValueExact()
                : integer.bitLength() < Long.SIZE ? (Object) integer.longValueExact() : integer;
    }
}
