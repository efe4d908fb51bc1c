package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.Grant.Replacement;
import org.leasehold.command.calendar.claim.ClaimInsertion;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The move of claims from resources that cannot serve to their replacements. */
final class ClaimMove {

    private final Claims claims;
    private final ClaimInsertion claimInsertion;

    ClaimMove(Claims claims) {
        this.claims = claims;
        this.claimInsertion = new ClaimInsertion(claims);
    }

    /**
     * Moves the claims of a lease.
     *
     * @throws CalendarContention if another reservation took a replacement meanwhile
     */
    List<Replacement> move(LeaseId lease, ProjectId project, ReplacementSearch.Found found) {
        List<Offer> offers = new ArrayList<>();
        List<Replacement> replaced = new ArrayList<>();
        found.chosen()
                .forEach(
                        (unfit, by) -> {
                            claims.delete(
                                    unfit.granted().reservation(),
                                    List.of(unfit.allocation().resource()));
                            offers.add(
                                    new Offer(
                                            lease,
                                            project,
                                            unfit.granted().reservation(),
                                            claims.claimWindow(unfit.granted().period()),
                                            List.of(by),
                                            Set.of(),
                                            unfit.demand(found.inventory())));
                            replaced.add(
                                    new Replacement(
                                            unfit.granted().reservation(),
                                            unfit.allocation().resource(),
                                            by.allocation(),
                                            unfit.reason()));
                        });
        if (!claimInsertion.insertAllClaims(offers)) {
            throw new CalendarContention("another reservation took the replacement");
        }
        return replaced;
    }
}
