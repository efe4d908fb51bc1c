package org.leasehold.gateway.api;

import java.math.BigDecimal;

/** How decimals are told. */
final class Decimals {

    private Decimals() {}

    /** Without the zeros at its end, and never with an exponent. */
    static BigDecimal plain(BigDecimal amount) {
        BigDecimal plain = amount.stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0) : plain;
    }
}
