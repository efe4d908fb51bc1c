package org.leasehold.command.lease;

import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;

import java.util.function.Function;

/**
 * A command on its way to a decision.
 *
 * @param request the request to the calendar
 * @param decide the decision on its grant; pure, so that it may run again
 */
record Proposal(CalendarRequest<?> request, Function<Grant, Decision> decide) {

    /** Creates a proposal whose decision depends on the answer to the request. */
    static <G extends Grant> Proposal of(CalendarRequest<G> request, Function<G, Decision> decide) {
        return new Proposal(request, grant -> decide.apply(request.grantType().cast(grant)));
    }

    /** Creates a proposal for a decision that does not depend on the calendar. */
    static Proposal decided(Decision decision) {
        return of(new CalendarRequest.Nothing(), _ -> decision);
    }
}
