package org.leasehold.command.calendar;

import org.leasehold.command.calendar.FreeResourceTimeline.Claim;
import org.leasehold.lease.LeasePeriod;

import java.util.List;
import java.util.Optional;

/** Confirms a refusal in the deciding transaction, and explains it if that is quick. */
final class RefusalConfirmation {

    /** The number of claims beyond which a refusal is explained without a look at each of them. */
    static final int MAX_EXPLAINED_CLAIMS = 5_000;

    private final Claims claims;
    private final Refusals refusals;
    private final int maxExplainedClaims;

    RefusalConfirmation(Claims claims, Refusals refusals, int explained) {
        this.claims = claims;
        this.refusals = refusals;
        this.maxExplainedClaims = explained;
    }

    /** Receives refusals of holds, and returns the answer. */
    interface Refusals {

        /**
         * Returns the answer.
         *
         * @param refused has no next starts yet
         * @param search finds them
         * @param own the earlier claims of the reservations
         */
        Grant.TooFew handleRefusal(Grant.TooFew refused, StartSearch search, List<Claim> own);
    }

    /**
     * Returns the refusal of a hold of whole resources; empty if the tables have enough after all,
     * or the inventory is no longer that of the tables.
     */
    Optional<Grant.TooFew> refuse(ResourceSelection choosing, InventorySnapshot inventory) {
        CalendarSnapshot.Question question = choosing.snapshotQuestion();
        LeasePeriod span = Claims.hull(question.windows());
        Optional<Claims.Survey> survey =
                claims.survey(span, choosing.relevantResources(inventory), maxExplainedClaims);
        return survey.isPresent()
                ? survey.filter(seen -> seen.inventoryVersion() == inventory.version())
                        .flatMap(seen -> refuse(choosing, inventory, seen))
                : Optional.of(claims.readSnapshot(question))
                        .filter(seen -> seen.inventoryVersion() == inventory.version())
                        .flatMap(seen -> refuse(choosing, inventory, seen));
    }

    /**
     * Returns the refusal of a hold by a survey of its windows; empty if they have enough after
     * all.
     */
    Optional<Grant.TooFew> refuse(
            ResourceSelection choosing, InventorySnapshot inventory, Claims.Survey survey) {
        SelectedResources choice = choosing.choose(inventory, survey, Integer.MAX_VALUE);
        return choice.isComplete()
                ? Optional.empty()
                : Optional.of(
                        completeRefusal(
                                choosing,
                                choice,
                                new RefusalExplanation(choosing, choice, survey).explain()));
    }

    private Optional<Grant.TooFew> refuse(
            ResourceSelection choosing, InventorySnapshot inventory, CalendarSnapshot snapshot) {
        SelectedResources choice = choosing.choose(inventory, snapshot, Integer.MAX_VALUE);
        return choice.isComplete()
                ? Optional.empty()
                : Optional.of(
                        completeRefusal(
                                choosing,
                                choice,
                                new BriefRefusalExplanation(choosing, choice, snapshot).explain()));
    }

    private Grant.TooFew completeRefusal(
            ResourceSelection choosing, SelectedResources choice, Grant.TooFew refused) {
        return refusals.handleRefusal(
                refused, new StartSearch(choosing, choice), choosing.ownClaims());
    }
}
