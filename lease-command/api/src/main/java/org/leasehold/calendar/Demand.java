package org.leasehold.calendar;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;

import java.util.Collections;
import java.util.List;
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

    /** The same, but for so many at most, or for its minimum if that is more. */
    Demand upTo(int count);

    /**
     * Whole resources, each for itself alone.
     *
     * @param selection which of the fitting ones to take
     * @param required the names of those that must be among them; at most {@code minimum}
     */
    record Whole(
            ResourceKind kind,
            int minimum,
            int maximum,
            Requirement requirement,
            Selection selection,
            List<String> required)
            implements Demand {

        public Whole {
            required = List.copyOf(required);
            if (minimum < 1 || maximum < minimum || required.size() > minimum) {
                throw new IllegalArgumentException(
                        "no demand: %s to %s, with %s".formatted(minimum, maximum, required));
            }
        }

        /** Any that fit will do. */
        public Whole(
                ResourceKind kind,
                int minimum,
                int maximum,
                Requirement requirement,
                Selection selection) {
            this(kind, minimum, maximum, requirement, selection, List.of());
        }

        @Override
        public Whole upTo(int count) {
            return new Whole(
                    kind, minimum, Math.max(minimum, count), requirement, selection, required);
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

        @Override
        public Shared upTo(int count) {
            return this;
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
