package org.leasehold.query.capacity;

import java.util.function.ToLongFunction;

/**
 * One amount of each measure: refused ones in whole resources or slots, the others in millionths of
 * a resource.
 */
record Amounts(
        long enrolled, long reservable, long reserved, long active, long idle, long refused) {

    static final Amounts NOTHING = new Amounts(0, 0, 0, 0, 0, 0);

    static Amounts of(ToLongFunction<Measure> amount) {
        return new Amounts(
                amount.applyAsLong(Measure.ENROLLED),
                amount.applyAsLong(Measure.RESERVABLE),
                amount.applyAsLong(Measure.RESERVED),
                amount.applyAsLong(Measure.ACTIVE),
                amount.applyAsLong(Measure.IDLE),
                amount.applyAsLong(Measure.REFUSED));
    }

    long of(Measure measure) {
        return switch (measure) {
            case ENROLLED -> enrolled;
            case RESERVABLE -> reservable;
            case RESERVED -> reserved;
            case ACTIVE -> active;
            case IDLE -> idle;
            case REFUSED -> refused;
        };
    }

    Amounts plus(Amounts other) {
        return of(measure -> of(measure) + other.of(measure));
    }

    /** Returns the free amount; negative if reserved resources are out of service. */
    long headroom() {
        return reservable - reserved;
    }
}
