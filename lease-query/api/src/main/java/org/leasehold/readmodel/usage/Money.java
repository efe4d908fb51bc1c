package org.leasehold.readmodel.usage;

import java.math.BigDecimal;
import java.util.Currency;

/**
 * An amount that can be paid, to the last digit that its currency has.
 *
 * @param amount with as many fraction digits as the currency has; negative for a refund
 */
public record Money(BigDecimal amount, Currency currency) {

    public Money {
        if (amount.scale() != currency.getDefaultFractionDigits()) {
            throw new IllegalArgumentException("no amount of %s: %s".formatted(currency, amount));
        }
    }

    /**
     * Returns the sum of both.
     *
     * @throws IllegalArgumentException if they are of different currencies
     */
    public Money plus(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException("cannot add %s to %s".formatted(other, this));
        }
        return new Money(amount.add(other.amount), currency);
    }

    @Override
    public String toString() {
        return amount.toPlainString() + " " + currency;
    }
}
