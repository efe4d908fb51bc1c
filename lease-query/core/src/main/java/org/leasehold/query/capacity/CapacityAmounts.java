package org.leasehold.query.capacity;

import org.leasehold.query.capacity.projection.CapacityMeasure;

import java.util.function.ToLongFunction;

/**
 * One amount of each measure: refused ones in whole resources or slots, the others in millionths of
 * a resource.
 */
record CapacityAmounts(
        long enrolled, long reservable, long reserved, long active, long idle, long refused) {

    static final CapacityAmounts NOTHING = new CapacityAmounts(0, 0, 0, 0, 0, 0);

    static CapacityAmounts of(ToLongFunction<CapacityMeasure> amount) {
        return new CapacityAmounts(
                amount.applyAsLong(CapacityMeasure.ENROLLED),
                amount.applyAsLong(CapacityMeasure.RESERVABLE),
                amount.applyAsLong(CapacityMeasure.RESERVED),
                amount.applyAsLong(CapacityMeasure.ACTIVE),
                amount.applyAsLong(CapacityMeasure.IDLE),
                amount.applyAsLong(CapacityMeasure.REFUSED));
    }

    long of(CapacityMeasure measure) {
        return switch (measure) {
            case ENROLLED -> enrolled;
            case RESERVABLE -> reservable;
            case RESERVED -> reserved;
            case ACTIVE -> active;
            case IDLE -> idle;
            case REFUSED -> refused;
        };
    }

    CapacityAmounts plus(CapacityAmounts other) {
        return of(measure -> of(measure) + other.of(measure));
    }

    /** Returns the free amount; negative if reserved resources are out of service. */
    long headroom() {
        return reservable - reserved;
    }
}
