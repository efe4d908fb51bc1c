package org.leasehold.calendar;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;

import java.util.List;

/**
 * What a reservation needs of the calendar: whole resources of one kind, each for itself alone.
 *
 * @param kind whose resources
 * @param minimum with fewer the reservation is of no use; at least 1
 * @param maximum more are not wanted; at least {@code minimum}
 * @param requirement what each of them must be
 * @param selection which of the fitting ones to take
 * @param required the names of those that must be among them; at most {@code minimum}
 */
public record Demand(
        ResourceKind kind,
        int minimum,
        int maximum,
        Requirement requirement,
        Selection selection,
        List<String> required) {

    public Demand {
        required = List.copyOf(required);
        if (minimum < 1 || maximum < minimum || required.size() > minimum) {
            throw new IllegalArgumentException(
                    "no demand: %d to %d, with %s".formatted(minimum, maximum, required));
        }
    }

    /** Any that fit will do. */
    public Demand(
            ResourceKind kind,
            int minimum,
            int maximum,
            Requirement requirement,
            Selection selection) {
        this(kind, minimum, maximum, requirement, selection, List.of());
    }

    /** The same, but for so many at most, or for its minimum if that is more. */
    public Demand upTo(int count) {
        return new Demand(
                kind, minimum, Math.max(minimum, count), requirement, selection, required);
    }

    /** Which of the free resources a reservation gets. */
    public enum Selection {
        /** Those with the lowest ids: leases gather on few resources, the others can sleep. */
        FIRST_FIT,
        /** Those that are claimed least: wear and faults are spread. */
        SPREAD
    }
}
