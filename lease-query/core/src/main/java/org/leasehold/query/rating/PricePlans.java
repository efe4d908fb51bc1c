package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Every plan there is, each in force until the next one; before the first nothing costs anything.
 */
public final class PricePlans {

    /** Where nothing ever costs anything. */
    public static final PricePlans NONE = new PricePlans(List.of());

    private final NavigableMap<Instant, PricePlan> plans = new TreeMap<>();

    PricePlans(List<PricePlan> plans) {
        plans.forEach(plan -> this.plans.put(plan.from(), plan));
    }

    /**
     * Reads plans.
     *
     * @param json as {@code infra/rating.md} describes it
     * @throws IllegalArgumentException if they are wrong; the message begins with the field
     */
    public static PricePlans of(String json) {
        return new PricePlans(PlanReader.read(json));
    }

    boolean isEmpty() {
        return plans.isEmpty();
    }

    /** The plan in force at an instant; null before the first. */
    @Nullable PricePlan at(Instant instant) {
        var plan = plans.floorEntry(instant);
        return plan == null ? null : plan.getValue();
    }

    /** All of them, in the order of time. */
    List<PricePlan> all() {
        return new ArrayList<>(plans.values());
    }
}
