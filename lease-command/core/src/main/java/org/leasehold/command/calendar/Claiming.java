package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claims what was chosen. That a whole resource is promised only once is the constraint's to see.
 * What is shared is added up here, while nobody else can claim a share of the same resources.
 */
final class Claiming {

    private final Claims claims;

    Claiming(Claims claims) {
        this.claims = claims;
    }

    /**
     * Claims what is free and in service of all that is offered, and says what that was.
     *
     * @throws CalendarContention if others took so much of what is shared that it does not suffice
     */
    Map<ReservationId, Set<ResourceId>> claim(List<Offer> offers) {
        List<ResourceId> shared =
                offers.stream()
                        .flatMap(offer -> offer.resources().stream())
                        .filter(resource -> resource.allocation().share() != null)
                        .map(KnownResource::id)
                        .distinct()
                        .sorted()
                        .toList();
        if (!shared.isEmpty()) {
            claims.lock(shared);
            Rooms rooms =
                    new Rooms(
                            claims.on(
                                    shared,
                                    Claims.hull(offers.stream().map(Offer::window).toList())));
            offers.forEach(offer -> addUp(offer, rooms));
        }
        return claims.claim(offers);
    }

    private static void addUp(Offer offer, Rooms rooms) {
        Left left = new Left(offer.demand().requirement());
        for (KnownResource resource : offer.resources()) {
            @Nullable Share share = resource.allocation().share();
            if (share != null) {
                if (!offer.kept().contains(resource.id())
                        && rooms.on(resource).slots(share.needs(), left, offer.window())
                                < share.slots()) {
                    throw new CalendarContention("somebody else was faster");
                }
                rooms.add(new Claim(resource.id(), offer.window(), share));
            }
        }
    }
}
