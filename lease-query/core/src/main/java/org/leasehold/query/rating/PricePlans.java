package org.leasehold.query.rating;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.Charge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

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

    /**
     * What a lease costs by them in a window, as its events tell.
     *
     * @param life of one lease, from its first event on
     * @param until what comes later is not known yet
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
        return Rating.of(Leased.of(life, until), kindOf, this, from, to);
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
