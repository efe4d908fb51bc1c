package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.usage.Charge.Reason;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.vocabulary.Share;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/**
 * The prices of reservations of a kind. No price is negative, so no cost is, either.
 *
 * @param kind of the reservation
 * @param resources only its resources of this kind; null for all
 * @param per the unit of the price: a slot, or an amount of this resource class
 * @param tiers prices of a unit for an hour, by the age of the reservation; the first one starts at
 *     its beginning
 * @param fee once, when the reservation first has a resource
 * @param reservationFee once, when the reservation is granted
 * @param credit the refunded part of the price of lost time, 0 to 1
 */
record Rate(
        ResourceKind kind,
        @Nullable ResourceKind resources,
        String per,
        List<Tier> tiers,
        List<Premium> premiums,
        BigDecimal fee,
        BigDecimal reservationFee,
        BigDecimal credit) {

    Rate {
        tiers = List.copyOf(tiers);
        premiums = List.copyOf(premiums);
    }

    /** A price from an age on. */
    record Tier(Duration from, BigDecimal price) {}

    /** An addition to the price, as a part of it. */
    sealed interface Premium {

        BigDecimal part();

        Reason reason();
    }

    /** A premium for a property that the resource had when it was granted. */
    record OfProperty(String property, String value, BigDecimal part) implements Premium {

        @Override
        public Reason reason() {
            return new Reason.Property(property, value);
        }
    }

    /** A premium for a number of slots of a kind at once, or more. */
    record OfAmount(int slots, BigDecimal part) implements Premium {

        @Override
        public Reason reason() {
            return new Reason.Slots(slots);
        }
    }

    boolean matches(ResourceKind reservation, ResourceKind resource) {
        return kind.equals(reservation) && (resources == null || resources.equals(resource));
    }

    /** Returns the quantity of some slots of an allocation, in the unit of the price. */
    long quantity(Allocation allocation, int slots) {
        if (per.equals(Use.SLOT)) {
            return slots;
        }
        Share share = allocation.share();
        return share == null ? 0 : slots * share.needs().getOrDefault(per, 0L);
    }

    /** Returns the price of a unit for an hour at a reservation's age. */
    BigDecimal price(Duration age) {
        BigDecimal price = BigDecimal.ZERO;
        for (Tier tier : tiers) {
            if (tier.from().compareTo(age) <= 0) {
                price = tier.price();
            }
        }
        return price;
    }

    /**
     * Returns the premiums that apply: all matching ones for properties, and the largest reached
     * one for slots.
     */
    List<Premium> premiums(Allocation allocation, int slots) {
        int reached =
                premiums.stream()
                        .filter(OfAmount.class::isInstance)
                        .mapToInt(premium -> ((OfAmount) premium).slots())
                        .filter(threshold -> threshold <= slots)
                        .max()
                        .orElse(Integer.MAX_VALUE);
        return premiums.stream()
                .filter(
                        premium ->
                                switch (premium) {
                                    case OfProperty(var property, var value, _) ->
                                            value.equals(allocation.properties().get(property));
                                    case OfAmount(var threshold, _) -> threshold == reached;
                                })
                .toList();
    }
}
