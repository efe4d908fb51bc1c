package org.leasehold.calendar;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;

/**
 * What a reservation needs of the calendar: whole resources of one kind, each for itself alone.
 *
 * @param kind whose resources
 * @param minimum with fewer the reservation is of no use; at least 1
 * @param maximum more are not wanted; at least {@code minimum}
 * @param requirement what each of them must be
 * @param selection which of the fitting ones to take
 */
public record Demand(
        ResourceKind kind, int minimum, int maximum, Requirement requirement, Selection selection) {

    public Demand {
        if (minimum < 1 || maximum < minimum) {
            throw new IllegalArgumentException("no demand: " + minimum + " to " + maximum);
        }
    }

    /** Which of the free resources a reservation gets. */
    public enum Selection {
        /** Those with the lowest ids: leases gather on few resources, the others can sleep. */
        FIRST_FIT,
        /** Those that are claimed least: wear and faults are spread. */
        SPREAD
    }
}
