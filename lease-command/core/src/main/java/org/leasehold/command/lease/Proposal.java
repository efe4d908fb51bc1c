package org.leasehold.command.lease;

import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;

import java.util.function.Function;

/**
 * A command on its way to a decision.
 *
 * @param request what the calendar must be asked first
 * @param decide what follows from its answer; pure, so that it may be asked again
 */
record Proposal(CalendarRequest request, Function<Grant, Decision> decide) {

    /** A decision that does not depend on the calendar. */
    static Proposal decided(Decision decision) {
        return new Proposal(new CalendarRequest.Nothing(), _ -> decision);
    }
}
