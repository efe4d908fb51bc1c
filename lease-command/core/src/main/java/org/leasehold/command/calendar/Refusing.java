package org.leasehold.command.calendar;

import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.lease.LeasePeriod;

import java.util.List;
import java.util.Optional;

/** Confirms a refusal in the deciding transaction, and explains it as far as that is quick. */
final class Refusing {

    /** A refusal whose windows more claims touch is explained without a look at each of them. */
    static final int EXPLAINED_CLAIMS = 5_000;

    private final Claims claims;
    private final Refusals refusals;
    private final int explained;

    Refusing(Claims claims, Refusals refusals, int explained) {
        this.claims = claims;
        this.refusals = refusals;
        this.explained = explained;
    }

    /** Says what is answered to a hold that is refused. */
    interface Refusals {

        /**
         * The answer.
         *
         * @param refused has no next starts yet
         * @param search finds them
         * @param own what the reservations had claimed before
         */
        Grant.TooFew refused(Grant.TooFew refused, StartSearch search, List<Claim> own);
    }

    /**
     * The refusal of a hold of whole resources; empty if the tables hold enough after all, or the
     * inventory is not that of the tables any more.
     */
    Optional<Grant.TooFew> refuse(Choosing choosing, Inventory inventory) {
        Snapshot.Question question = choosing.question();
        LeasePeriod span = Claims.hull(question.windows());
        Optional<Claims.Survey> survey =
                claims.survey(span, choosing.concerned(inventory), explained);
        return survey.isPresent()
                ? survey.filter(seen -> seen.inventoryVersion() == inventory.version())
                        .flatMap(seen -> refuse(choosing, inventory, seen))
                : Optional.of(claims.look(question))
                        .filter(seen -> seen.inventoryVersion() == inventory.version())
                        .flatMap(seen -> refuse(choosing, inventory, seen));
    }

    /** The refusal of a hold by a survey of its windows; empty if they hold enough after all. */
    Optional<Grant.TooFew> refuse(Choosing choosing, Inventory inventory, Claims.Survey survey) {
        Choice choice = choosing.choose(inventory, survey, Integer.MAX_VALUE);
        return choice.isComplete()
                ? Optional.empty()
                : Optional.of(
                        answer(choosing, choice, new Refusal(choosing, choice, survey).explain()));
    }

    private Optional<Grant.TooFew> refuse(
            Choosing choosing, Inventory inventory, Snapshot snapshot) {
        Choice choice = choosing.choose(inventory, snapshot, Integer.MAX_VALUE);
        return choice.isComplete()
                ? Optional.empty()
                : Optional.of(
                        answer(
                                choosing,
                                choice,
                                new BriefRefusal(choosing, choice, snapshot).explain()));
    }

    private Grant.TooFew answer(Choosing choosing, Choice choice, Grant.TooFew refused) {
        return refusals.refused(refused, new StartSearch(choosing, choice), choosing.own());
    }
}
