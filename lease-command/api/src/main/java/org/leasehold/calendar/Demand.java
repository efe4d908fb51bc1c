package org.leasehold.calendar;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The resources of one kind that a reservation needs: whole resources or parts of them. */
public sealed interface Demand {

    /** Returns the kind of the resources. */
    ResourceKind kind();

    /** Returns the requirement that each resource must meet. */
    Requirement requirement();

    /** Returns the smallest useful number of resources, or of slots; at least 1. */
    int minimum();

    /** Returns the largest number that the reservation can use; at least {@link #minimum()}. */
    int maximum();

    /** Returns the same demand, capped at {@code count}, but never below its minimum. */
    Demand upTo(int count);

    /**
     * Whole resources, for this reservation alone.
     *
     * @param selection the choice among the matching resources
     * @param required the names of resources that must be included; at most {@code minimum}
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

        /** Creates a demand that any matching resources meet. */
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
     * Equal slots on resources that other reservations may share at the same time.
     *
     * @param slots the exact number of slots
     * @param needs the needs of one slot, by resource class, such as {@code VCPU}
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

    /** The rule that selects among the free resources. */
    enum Selection {
        /** Selects the lowest ids: leases share few resources, and the others can sleep. */
        FIRST_FIT,
        /** Selects the resources with the fewest claims, which spreads wear and faults. */
        SPREAD
    }

    /** The distribution of a reservation's slots. */
    enum Spread {
        ANYWHERE,
        /** All slots on one resource. */
        TOGETHER,
        /** Each slot on another resource. */
        APART
    }
}
