package org.leasehold.readmodel.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.ReservationId;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Currency;

/**
 * A line of the cost of a lease: a price times a quantity.
 *
 * @param kind the reservation's
 * @param use the paid use of a resource; null for a one-off charge
 * @param reason the reason for a premium, or for its credit; null if there is none
 * @param plan the name of the price plan
 * @param from inclusive
 * @param until exclusive; the same as from for a one-off charge
 * @param price the price of one unit for an hour, or of the one-off charge; exact, and negative for
 *     a credit
 */
public record Charge(
        ReservationId reservation,
        ResourceKind kind,
        @Nullable Use use,
        What what,
        @Nullable Reason reason,
        String plan,
        Instant from,
        Instant until,
        BigDecimal price,
        Currency currency) {

    private static final BigDecimal MICROS_OF_AN_HOUR =
            BigDecimal.valueOf(Duration.ofHours(1).toNanos() / 1000);

    /** The subject of a charge. */
    public enum What {
        /** The reserved time. */
        USAGE,
        /** An addition to the usage for a property, or for a quantity. */
        PREMIUM,
        /** A refund of a part of a usage or a premium for lost time. */
        CREDIT,
        /** A one-off charge when the reservation first has a resource. */
        FEE,
        /** A one-off charge when the reservation is granted. */
        RESERVATION_FEE
    }

    /** The state of the resource during the time. */
    public enum Time {
        ACTIVE,
        LOST
    }

    /**
     * A resource in use.
     *
     * @param kind the resource's
     * @param quantity the paid quantity
     * @param unit {@link #SLOT}, or a resource class that slots take
     */
    public record Use(
            ResourceId resource,
            String name,
            ResourceKind kind,
            long quantity,
            String unit,
            Time time) {

        /** A leased part of a resource; the whole of a resource is one. */
        public static final String SLOT = "slot";
    }

    /** The reason for a premium; its text is for people. */
    public sealed interface Reason {

        /** A property that the resource had when it was granted, such as {@code gpu=V100}. */
        record Property(String name, String value) implements Reason {

            @Override
            public String toString() {
                return name + "=" + value;
            }
        }

        /** A least number of slots of a kind at once, such as {@code slots>=10}. */
        record Slots(int least) implements Reason {

            @Override
            public String toString() {
                return "slots>=" + least;
            }
        }

        /** A property that the caller may not see. */
        record HiddenProperty() implements Reason {

            @Override
            public String toString() {
                return "property";
            }
        }
    }

    /** Returns the quantity times microseconds, a whole number; a one-off charge has an hour's. */
    private BigDecimal quantity() {
        return use == null
                ? MICROS_OF_AN_HOUR
                : BigDecimal.valueOf(ChronoUnit.MICROS.between(from, until))
                        .multiply(BigDecimal.valueOf(use.quantity()));
    }

    /**
     * Returns the quantity times hours, to a microsecond and nine digits; 1 for a one-off charge.
     * The amount is not computed from it: not every second is a decimal of an hour.
     */
    public BigDecimal hours() {
        return hours(9);
    }

    /** Returns the same, to so many digits after the point, without trailing zeros. */
    public BigDecimal hours(int digits) {
        BigDecimal hours = quantity().divide(MICROS_OF_AN_HOUR, digits, RoundingMode.HALF_EVEN);
        return hours.signum() == 0 ? BigDecimal.ZERO : hours.stripTrailingZeros();
    }

    /**
     * Returns the amount before rounding, times the microseconds of an hour. It is never a
     * recurring fraction.
     */
    public BigDecimal unroundedAmount() {
        return price.multiply(quantity());
    }

    /** Returns the amount to pay, rounded once, half to even, to the digits of its currency. */
    public Money amount() {
        return new Money(
                unroundedAmount()
                        .divide(
                                MICROS_OF_AN_HOUR,
                                currency.getDefaultFractionDigits(),
                                RoundingMode.HALF_EVEN),
                currency);
    }

    /** Returns whether this charge equals another and begins where that one ends. */
    public boolean continues(Charge before) {
        return use != null && from.equals(before.until) && equals(before.during(from, until));
    }

    /** Returns the same charge for another period. */
    public Charge during(Instant start, Instant end) {
        return new Charge(reservation, kind, use, what, reason, plan, start, end, price, currency);
    }

    /** Returns the same charge for another reason. */
    public Charge withReason(Reason other) {
        return new Charge(reservation, kind, use, what, other, plan, from, until, price, currency);
    }
}
