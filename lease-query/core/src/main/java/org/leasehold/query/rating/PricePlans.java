package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.usage.Charge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/** All price plans, each in force until the next one; before the first nothing costs anything. */
public final class PricePlans {

    /** No plans, so that nothing costs anything. */
    public static final PricePlans NONE = new PricePlans(List.of());

    private final NavigableMap<Instant, PricePlan> plans = new TreeMap<>();

    PricePlans(List<PricePlan> plans) {
        plans.forEach(plan -> this.plans.put(plan.from(), plan));
    }

    /**
     * Parses plans.
     *
     * @param json as {@code infra/docs/rating.md} describes it
     * @throws IllegalArgumentException if they are invalid; the message begins with the field
     */
    public static PricePlans of(String json) {
        return new PricePlans(PricePlanParser.read(json));
    }

    /**
     * Returns a lease's charges by these plans in a window, from its events.
     *
     * @param life the events of one lease, from the first one on
     * @param until later time is not known yet
     * @param kindOf the kind of a resource
     * @param from inclusive
     * @param to exclusive
     */
    public List<Charge> charges(
            List<RecordedEvent> life,
            Instant until,
            Function<ResourceId, ResourceKind> kindOf,
            Instant from,
            Instant to) {
        return Rating.of(ChargeableLease.of(life, until), kindOf, this, from, to);
    }

    boolean isEmpty() {
        return plans.isEmpty();
    }

    /** Returns the plan in force at an instant; null before the first. */
    @Nullable PricePlan at(Instant instant) {
        var plan = plans.floorEntry(instant);
        return plan == null ? null : plan.getValue();
    }

    /** Returns the plan in force at an instant, if any, and all later ones. */
    List<PricePlan> from(Instant instant) {
        Instant first = plans.floorKey(instant);
        return List.copyOf((first == null ? plans : plans.tailMap(first, true)).values());
    }

    /** Returns all of them, in the order of time. */
    List<PricePlan> all() {
        return new ArrayList<>(plans.values());
    }
}
