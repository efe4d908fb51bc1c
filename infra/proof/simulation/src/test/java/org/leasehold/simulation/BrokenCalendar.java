package org.leasehold.simulation;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;

import java.util.function.Function;
import java.util.function.Predicate;

/** An engine whose calendar has a bug that needs no state. */
abstract class BrokenCalendar extends EngineParts {

    /** Executes a request with the bug; see {@link Calendar#executeAndDecide}. */
    abstract <D> D execute(
            Calendar intact,
            CalendarRequest<?> request,
            Function<Grant, D> decide,
            Predicate<D> keep);

    @Override
    Calendar calendar(Calendar intact) {
        return new Calendar() {
            @Override
            public <D> D executeAndDecide(
                    CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
                return execute(intact, request, decide, keep);
            }
        };
    }
}
