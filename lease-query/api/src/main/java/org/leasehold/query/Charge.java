package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationId;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Currency;

/**
 * A line of what a lease costs: a price, times how much.
 *
 * @param kind the reservation's
 * @param use of what; null for what is paid once
 * @param reason what a premium, or the credit of one, is for; null for what needs none
 * @param plan the name of the plan that says so
 * @param from inclusive
 * @param until exclusive; the same as from for what is paid once
 * @param price of one of the unit for an hour, or of what is paid once; exact, and negative for
 *     what is credited
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

    /** What is paid for. */
    public enum What {
        /** Time for which it was reserved. */
        USAGE,
        /** What comes on top of that for a property, or for how much it is. */
        PREMIUM,
        /** That of the time was lost: so much is given back of a usage or a premium. */
        CREDIT,
        /** Once, when the reservation has something for the first time. */
        FEE,
        /** Once, when the reservation is promised. */
        RESERVATION_FEE
    }

    /** What became of the time. */
    public enum Time {
        ACTIVE,
        LOST
    }

    /**
     * A resource in use.
     *
     * @param kind the resource's
     * @param quantity how much of it is paid for
     * @param unit in what: {@link #SLOT}, or a resource class of which slots take some
     */
    public record Use(
            ResourceId resource,
            String name,
            ResourceKind kind,
            long quantity,
            String unit,
            Time time) {

        /** A part that is leased; the whole of a resource is one. */
        public static final String SLOT = "slot";
    }

    /** What a premium is for; as a text as people read it. */
    public sealed interface Reason {

        /** A property that the resource had when it was granted, such as {@code gpu=V100}. */
        record Property(String name, String value) implements Reason {

            @Override
            public String toString() {
                return name + "=" + value;
            }
        }

        /** So many slots of a kind of resources at once, or more, such as {@code slots>=10}. */
        record Slots(int least) implements Reason {

            @Override
            public String toString() {
                return "slots>=" + least;
            }
        }

        /** A property that whoever asks may not see. */
        record HiddenProperty() implements Reason {

            @Override
            public String toString() {
                return "property";
            }
        }
    }

    /**
     * How much, times microseconds, or how often it is paid times those of an hour: a whole number.
     */
    private BigDecimal quantity() {
        return use == null
                ? MICROS_OF_AN_HOUR
                : BigDecimal.valueOf(ChronoUnit.MICROS.between(from, until))
                        .multiply(BigDecimal.valueOf(use.quantity()));
    }

    /**
     * How much, times hours, to a millionth of a second and nine digits; 1 for what is paid once.
     * The amount does not come from it: not every second is a decimal of an hour.
     */
    public BigDecimal hours() {
        return hours(9);
    }

    /** The same, to so many digits after the point; zeros at the end are left out. */
    public BigDecimal hours(int digits) {
        BigDecimal hours = quantity().divide(MICROS_OF_AN_HOUR, digits, RoundingMode.HALF_EVEN);
        return hours.signum() == 0 ? BigDecimal.ZERO : hours.stripTrailingZeros();
    }

    /**
     * What it comes to before it is rounded, times the microseconds of an hour: never a fraction
     * without an end.
     */
    public BigDecimal exactly() {
        return price.multiply(quantity());
    }

    /** What is to be paid, rounded once, half to even, to the digits of its currency. */
    public Money amount() {
        return new Money(
                exactly()
                        .divide(
                                MICROS_OF_AN_HOUR,
                                currency.getDefaultFractionDigits(),
                                RoundingMode.HALF_EVEN),
                currency);
    }

    /** Whether it is the same, and begins where the other ends. */
    public boolean continues(Charge before) {
        return use != null && from.equals(before.until) && equals(before.during(from, until));
    }

    /** The same, for another time. */
    public Charge during(Instant start, Instant end) {
        return new Charge(reservation, kind, use, what, reason, plan, start, end, price, currency);
    }

    /** The same, for another reason. */
    public Charge because(Reason other) {
        return new Charge(reservation, kind, use, what, other, plan, from, until, price, currency);
    }
}
