package org.leasehold.calendar;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What a reservation needs of the calendar: resources of one kind, whole ones or parts of them. */
public sealed interface Demand {

    /** Whose resources. */
    ResourceKind kind();

    /** What each of them must be. */
    Requirement requirement();

    /** With fewer resources, or slots of them, the reservation is of no use; at least 1. */
    int minimum();

    /** More are not wanted; at least {@link #minimum()}. */
    int maximum();

    /**
     * Whole resources, each for itself alone.
     *
     * @param selection which of the fitting ones to take
     */
    record Whole(
            ResourceKind kind,
            int minimum,
            int maximum,
            Requirement requirement,
            Selection selection)
            implements Demand {

        public Whole {
            if (minimum < 1 || maximum < minimum) {
                throw new IllegalArgumentException("no demand: " + minimum + " to " + maximum);
            }
        }
    }

    /**
     * Equal slots on resources that others may have slots of at the same time.
     *
     * @param slots how many, no more and no fewer
     * @param needs what one slot takes, by resource class, such as {@code VCPU}
     */
    record Shared(
            ResourceKind kind,
            int slots,
            Map<String, Long> needs,
            Requirement requirement,
            Spread spread)
            implements Demand {

        public Shared {
            if (slots < 1 || needs.isEmpty()) {
                throw new IllegalArgumentException("no demand: " + slots + " of " + needs);
            }
            needs = Collections.unmodifiableMap(new TreeMap<>(needs));
        }

        @Override
        public int minimum() {
            return slots;
        }

        @Override
        public int maximum() {
            return slots;
        }
    }

    /** Which of the free resources a reservation gets. */
    enum Selection {
        /** Those with the lowest ids: leases gather on few resources, the others can sleep. */
        FIRST_FIT,
        /** Those that are claimed least: wear and faults are spread. */
        SPREAD
    }

    /** How the slots of a reservation lie. */
    enum Spread {
        ANYWHERE,
        /** All on one resource. */
        TOGETHER,
        /** Each on another resource. */
        APART
    }
}
