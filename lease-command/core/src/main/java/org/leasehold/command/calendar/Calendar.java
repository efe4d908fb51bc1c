package org.leasehold.command.calendar;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All claims on all resources, and who holds which of them at the moment. What it grants belongs to
 * the transaction of the command that asked.
 */
public interface Calendar {

    /**
     * Carries the request out, lets the caller decide on what came of it, and undoes it unless the
     * decision is to be kept.
     *
     * @throws CalendarContention if concurrent commands took what was about to be granted; the
     *     command has to be decided again in a new transaction
     */
    <D> D settle(CalendarRequest request, Function<Grant, D> decide, Predicate<D> keep);
}
