package org.leasehold.resource.instance;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.IntegerParameter;
import org.leasehold.resource.parameter.InvalidParameters;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The parameters that all reservations of slots share, wherever the size comes from. */
final class SlotParameters {

    static final String AMOUNT = "amount";
    static final String AFFINITY = "affinity";

    /** The affinity of slots that may be anywhere. */
    static final String ANYWHERE = "none";

    /** The most slots that one reservation may request. */
    static final int MAX_SLOTS = 10_000;

    private static final Set<String> YES = Set.of("1", "t", "true", "on", "y", "yes");
    private static final Set<String> NO = Set.of("0", "f", "false", "off", "n", "no");

    private SlotParameters() {}

    static FieldSchema amountSchema() {
        return FieldSchema.integer(1, MAX_SLOTS, "The number of slots.");
    }

    static Optional<Plan.Invalid> validateAmount(@Nullable Object amount) {
        Optional<BigInteger> number = IntegerParameter.of(amount);
        if (number.isEmpty()) {
            return Optional.of(new Plan.Invalid(AMOUNT, "amount must be an integer"));
        }
        if (number.get().signum() <= 0) {
            return Optional.of(new Plan.Invalid(AMOUNT, "amount must be >= 1"));
        }
        return isWithin(number.get(), 1, MAX_SLOTS)
                ? Optional.empty()
                : Optional.of(new Plan.Invalid(AMOUNT, "amount must be <= " + MAX_SLOTS));
    }

    static Optional<Plan.Invalid> validateAffinity(@Nullable Object affinity) {
        return spread(affinity).isPresent()
                ? Optional.empty()
                : InvalidParameters.malformed(AFFINITY, "must be a bool value or None");
    }

    /** Parses an affinity. Command lines and forms send a word, which may be Python's. */
    static Optional<Spread> spread(@Nullable Object affinity) {
        if (affinity == null) {
            return Optional.of(Spread.ANYWHERE);
        }
        String word = affinity.toString().strip().toLowerCase(Locale.ROOT);
        if (word.equals(ANYWHERE)) {
            return Optional.of(Spread.ANYWHERE);
        }
        if (YES.contains(word)) {
            return Optional.of(Spread.TOGETHER);
        }
        return NO.contains(word) ? Optional.of(Spread.APART) : Optional.empty();
    }

    /** Rejects changes that move, resize or remove a slot in which a server may run. */
    static Plan requireGrowthOnly(Map<String, @Nullable Object> current, Plan.Planned planned) {
        for (String name : planned.parameters().keySet()) {
            if (!name.equals(AMOUNT)
                    && !Objects.equals(current.get(name), planned.parameters().get(name))) {
                return new Plan.Invalid(
                        name, "An active reservation only accepts to update amount.");
            }
        }
        return number(planned.parameters(), AMOUNT) < number(current, AMOUNT)
                ? new Plan.Invalid(
                        AMOUNT,
                        "Instance reservation doesn't allow to reduce/replace reserved instance"
                                + " slots when the reservation is in active status.")
                : planned;
    }

    static boolean isWithin(BigInteger number, int least, int greatest) {
        return number.compareTo(BigInteger.valueOf(least)) >= 0
                && number.compareTo(BigInteger.valueOf(greatest)) <= 0;
    }

    static int number(Map<String, @Nullable Object> parameters, String name) {
        return IntegerParameter.of(parameters.get(name)).orElse(BigInteger.ZERO).intValue();
    }
}
