package org.leasehold.gateway.api.http;

import java.math.BigDecimal;

/** The format of decimals. */
public final class DecimalNormalization {

    private DecimalNormalization() {}

    /** Removes zeros at the end, and never uses an exponent. */
    public static BigDecimal normalize(BigDecimal amount) {
        BigDecimal plain = amount.stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0) : plain;
    }
}
