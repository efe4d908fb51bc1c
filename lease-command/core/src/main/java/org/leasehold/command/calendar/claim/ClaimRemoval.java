package org.leasehold.command.calendar.claim;

import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.vocabulary.ReservationId;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The removal of the claims that a lease had before a hold, so that they are not in its way. */
public record ClaimRemoval(Claims claims) {

    /**
     * Deletes the claims of the reservations that are held, and shortens those of the reservations
     * that are removed.
     *
     * @return all of these claims as they were, by reservation
     */
    public Map<ReservationId, List<Claim>> removeFor(Hold request) {
        if (request.isFresh()) {
            return Map.of();
        }
        Map<ReservationId, List<Claim>> before = new HashMap<>();
        Shorten removal = request.removal();
        if (removal != null) {
            before.putAll(
                    claims.findUnexpired(Set.of(request.lease()), removal.end())
                            .leases()
                            .getOrDefault(request.lease(), Map.of()));
            before.keySet().retainAll(removal.reservations());
            claims.shorten(request.lease(), removal.reservations(), removal.end());
        }
        before.putAll(claims.deleteAll(request.reservations()));
        return before;
    }
}
