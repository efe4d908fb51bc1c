package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Share;
import org.leasehold.query.Charge.Reason;
import org.leasehold.query.Charge.Use;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/**
 * What reservations of a kind cost. No price is negative, so that nothing ever costs less than
 * nothing.
 *
 * @param kind of the reservation
 * @param resources only what it has of resources of this kind; null for all
 * @param per what the price is of: a slot, or of what slots take of this resource class
 * @param tiers what one costs an hour, by how long it is since the reservation began; the first is
 *     from its beginning
 * @param fee once, when the reservation has something for the first time
 * @param reservationFee once, when the reservation is promised
 * @param credit the part of the price of lost time that is given back, 0 to 1
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

    /** A price from a time on. */
    record Tier(Duration from, BigDecimal price) {}

    /** What comes on top of the price, as a part of it. */
    sealed interface Premium {

        BigDecimal part();

        Reason reason();
    }

    /** For a property that the resource had when it was granted. */
    record OfProperty(String property, String value, BigDecimal part) implements Premium {

        @Override
        public Reason reason() {
            return new Reason.Property(property, value);
        }
    }

    /** For having so many slots of a kind of resources at once, or more. */
    record OfAmount(int slots, BigDecimal part) implements Premium {

        @Override
        public Reason reason() {
            return new Reason.Slots(slots);
        }
    }

    boolean fits(ResourceKind reservation, ResourceKind resource) {
        return kind.equals(reservation) && (resources == null || resources.equals(resource));
    }

    /** How much some slots of an allocation are: of what the price is. */
    long quantity(Allocation allocation, int slots) {
        if (per.equals(Use.SLOT)) {
            return slots;
        }
        Share share = allocation.share();
        return share == null ? 0 : slots * share.needs().getOrDefault(per, 0L);
    }

    /** What one costs an hour when the reservation is so old. */
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
     * The premiums that apply: every one of a property, and of those by amount the largest that is
     * reached.
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
