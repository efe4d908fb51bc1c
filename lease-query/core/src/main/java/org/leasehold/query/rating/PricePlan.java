package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.util.Currency;
import java.util.List;

/**
 * A price plan, in force from an instant until the next one.
 *
 * @param rates the first matching one counts; without a match there is no charge
 */
record PricePlan(String name, Instant from, Currency currency, List<Rate> rates) {

    PricePlan {
        rates = List.copyOf(rates);
    }

    /** Returns the rate of a reservation's use of a resource; null for none. */
    @Nullable Rate rate(ResourceKind reservation, ResourceKind resource) {
        return rates.stream()
                .filter(rate -> rate.matches(reservation, resource))
                .findFirst()
                .orElse(null);
    }

    /** Returns the rate with a reservation's fees; null if it has none. */
    @Nullable Rate fees(ResourceKind reservation) {
        return rates.stream()
                .filter(rate -> rate.kind().equals(reservation))
                .findFirst()
                .orElse(null);
    }
}
