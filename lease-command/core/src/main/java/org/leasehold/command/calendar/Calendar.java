package org.leasehold.command.calendar;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The calendar: all claims on all resources, and the current holders. A grant belongs to the
 * transaction of the requesting command.
 */
public interface Calendar {

    /**
     * Executes the request, lets the caller decide on the grant, and undoes it unless the decision
     * is to be kept.
     *
     * @throws CalendarContention if concurrent commands took the chosen resources; the command has
     *     to be decided again in a new transaction
     */
    <D> D executeAndDecide(
            CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep);
}
