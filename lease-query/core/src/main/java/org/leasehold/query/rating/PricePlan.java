package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.util.Currency;
import java.util.List;

/**
 * What things cost, from an instant until the next plan is in force.
 *
 * @param rates of those that fit the first one counts; what none fits costs nothing
 */
record PricePlan(String name, Instant from, Currency currency, List<Rate> rates) {

    PricePlan {
        rates = List.copyOf(rates);
    }

    /** What the use of a resource costs a reservation; null for nothing. */
    @Nullable Rate rate(ResourceKind reservation, ResourceKind resource) {
        return rates.stream()
                .filter(rate -> rate.fits(reservation, resource))
                .findFirst()
                .orElse(null);
    }

    /** By which a reservation's fees go; null if it has none. */
    @Nullable Rate fees(ResourceKind reservation) {
        return rates.stream()
                .filter(rate -> rate.kind().equals(reservation))
                .findFirst()
                .orElse(null);
    }
}
