package org.leasehold.command.calendar.refusal;

import org.leasehold.calendar.Shortage;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.CalendarSnapshot;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.index.CalendarMemory;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.selection.ResourceSelection;
import org.leasehold.command.calendar.selection.SelectedResources;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Confirms a refusal in the deciding transaction, and explains it if that is quick. A refusal names
 * a position of the event log, and is true of the claims at that position. So it comes from memory
 * only if memory is at the head of the event log; otherwise, it comes from the tables.
 */
public final class RefusalConfirmation {

    /** The number of claims beyond which a refusal is explained without a look at each of them. */
    public static final int MAX_EXPLAINED_CLAIMS = 5_000;

    /** The longest wait for memory before each look at it; a look at the tables takes as long. */
    private static final Duration MEMORY_TIMEOUT = Duration.ofMillis(5);

    private static final int MAX_ATTEMPTS = 2;

    private static final long NO_POSITION = -1;

    private final Claims claims;
    private final CalendarMemory memory;
    private final Refusals refusals;
    private final int maxExplainedClaims;

    public RefusalConfirmation(
            Claims claims, CalendarMemory memory, Refusals refusals, int maxExplainedClaims) {
        this.claims = claims;
        this.memory = memory;
        this.refusals = refusals;
        this.maxExplainedClaims = maxExplainedClaims;
    }

    /** Receives refusals of holds, and returns the answer. */
    public interface Refusals {

        /**
         * Returns the answer.
         *
         * @param refused has no next starts yet
         * @param search finds them
         * @param own the earlier claims of the reservations
         */
        Grant.HoldRefused handleRefusal(
                Grant.HoldRefused refused, StartSearch search, List<Claim> own);
    }

    /**
     * A choice from memory.
     *
     * @param position the position that memory had reached before it; {@code NO_POSITION} if memory
     *     was incomplete
     */
    public record MemoryChoice(SelectedResources selected, long position) {}

    /** Chooses from memory, however old it is. */
    public MemoryChoice choose(ResourceSelection choosing, InventorySnapshot inventory) {
        long position = memory.index().isReady() ? memory.position() : NO_POSITION;
        return new MemoryChoice(choosing.chooseFromMemory(inventory, memory.index()), position);
    }

    /**
     * Returns the refusal of a hold without earlier claims, from memory; empty if memory has
     * enough, or differs from the head of the event log. It costs two small statements, however
     * many claims there are.
     *
     * <p>The head is read last. If memory was there before the choice, then the choice used all
     * events up to the head, and no later one: memory includes only committed events, and a later
     * one would have moved the head. No claim without an event is in memory either, because the
     * thread's transaction has accepted no command.
     *
     * @param earlier an incomplete choice, which counts if memory was at the head already
     */
    public Optional<Grant.HoldRefused> refuseFromMemory(
            ResourceSelection choosing, MemoryChoice earlier) {
        InventorySnapshot inventory = earlier.selected().inventory();
        if (!memory.index().isReady()) {
            return Optional.empty();
        }
        // The last commit of this thread moved the head: without a wait, the first look is useless.
        Claims.Head head = claims.head();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (head.inventoryVersion() != inventory.version()
                    || !memory.awaitPosition(head.position(), MEMORY_TIMEOUT)) {
                return Optional.empty();
            }
            MemoryChoice choice =
                    earlier.position() == memory.position()
                            ? earlier
                            : chooseAgain(choosing, inventory);
            Optional<Explained> refusal = explainFromMemory(choosing, choice);
            if (refusal.isEmpty()) {
                return Optional.empty();
            }
            head = claims.head();
            if (head.position() == choice.position()
                    && head.inventoryVersion() == inventory.version()
                    && memory.index().isReady()) {
                return refusal.map(explained -> completeRefusal(choosing, explained));
            }
        }
        return Optional.empty();
    }

    private MemoryChoice chooseAgain(ResourceSelection choosing, InventorySnapshot inventory) {
        long position = memory.position();
        // For a number of like resources, the count of the free ones decides.
        return choosing.request()
                .singleCount()
                .map(wanted -> SelectedResources.nothing(inventory, wanted))
                .map(nothing -> new MemoryChoice(nothing, position))
                .orElseGet(() -> choose(choosing, inventory));
    }

    /** A refusal, and the search of its next starts. */
    private record Explained(Grant.HoldRefused refused, StartSearch search) {}

    /** Returns the refusal by the claims in memory; empty if they leave enough. */
    private Optional<Explained> explainFromMemory(ResourceSelection choosing, MemoryChoice chosen) {
        SelectedResources choice = chosen.selected();
        if (choice.isComplete()) {
            return Optional.empty();
        }
        if (choosing.request().hasShares()) {
            Claims.Survey survey = surveyMemory(choosing, choice, chosen.position());
            return Optional.of(explain(choosing, choice, survey));
        }
        RefusalExplanation explanation =
                RefusalExplanation.fromMemory(
                        choosing, choice, memory, chosen.position(), maxExplainedClaims);
        Grant.HoldRefused refused = explanation.explain();
        return choosing.request().singleCount().isPresent()
                        && isEnough(refused.shortages().getFirst())
                ? Optional.empty()
                : Optional.of(
                        new Explained(
                                refused,
                                new StartSearch(choosing, choice, explanation.freeTimes())));
    }

    private Claims.Survey surveyMemory(
            ResourceSelection choosing, SelectedResources choice, long position) {
        InventorySnapshot inventory = choice.inventory();
        List<Claim> claimed =
                memory.index()
                        .findTouching(
                                choosing.relevantResources(inventory),
                                Claims.hull(choosing.snapshotQuestion().windows()));
        // Only reservations that run, or have claims already, depend on holders.
        return new Claims.Survey(inventory.version(), position, Set.of(), Set.of(), claimed);
    }

    private static boolean isEnough(Shortage shortage) {
        return shortage.free() >= shortage.wanted();
    }

    /**
     * Returns the refusal of a hold of whole resources; empty if the tables have enough after all,
     * or the inventory is no longer that of the tables.
     */
    public Optional<Grant.HoldRefused> refuse(
            ResourceSelection choosing, InventorySnapshot inventory) {
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
    public Optional<Grant.HoldRefused> refuse(
            ResourceSelection choosing, InventorySnapshot inventory, Claims.Survey survey) {
        SelectedResources choice = choosing.choose(inventory, survey, Integer.MAX_VALUE);
        return choice.isComplete()
                ? Optional.empty()
                : Optional.of(completeRefusal(choosing, explain(choosing, choice, survey)));
    }

    private static Explained explain(
            ResourceSelection choosing, SelectedResources choice, Claims.Survey survey) {
        return new Explained(
                RefusalExplanation.fromSurvey(choosing, choice, survey).explain(),
                new StartSearch(choosing, choice));
    }

    private Optional<Grant.HoldRefused> refuse(
            ResourceSelection choosing, InventorySnapshot inventory, CalendarSnapshot snapshot) {
        SelectedResources choice = choosing.choose(inventory, snapshot, Integer.MAX_VALUE);
        return choice.isComplete()
                ? Optional.empty()
                : Optional.of(
                        completeRefusal(
                                choosing,
                                new Explained(
                                        new BriefRefusalExplanation(choosing, choice, snapshot)
                                                .explain(),
                                        new StartSearch(choosing, choice))));
    }

    private Grant.HoldRefused completeRefusal(ResourceSelection choosing, Explained explained) {
        return refusals.handleRefusal(
                explained.refused(), explained.search(), choosing.ownClaims());
    }
}
