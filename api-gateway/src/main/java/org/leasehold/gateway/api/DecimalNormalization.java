package org.leasehold.gateway.api;

import java.math.BigDecimal;

/** The format of decimals. */
final class DecimalNormalization {

    private DecimalNormalization() {}

    /** Removes zeros at the end, and never uses an exponent. */
    static BigDecimal normalize(BigDecimal amount) {
        BigDecimal plain = amount.stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0) : plain;
    }
}
