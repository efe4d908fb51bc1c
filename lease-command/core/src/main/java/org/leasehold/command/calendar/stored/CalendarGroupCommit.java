package org.leasehold.command.calendar.stored;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.command.calendar.claim.ClaimInsertion;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.Claims.Offer;
import org.leasehold.command.calendar.claim.Holders;
import org.leasehold.command.calendar.claim.Holders.Taking;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The calendar changes of a group's commands, decided from memory. They are executed together, in
 * the order of the resources. The execution shows whether memory was right; if it was not, no
 * command of the group may be committed.
 */
public final class CalendarGroupCommit {

    /** The number of tenure numbers to reserve: as many as a group may have starts. */
    private static final int TENURE_NUMBER_BATCH_SIZE = 64;

    /** The number of refusals in a group: the accepted commands of the group wait for them. */
    static final int MAX_REFUSALS = 8;

    private final Object rehearsalKey = new Object();
    private final ClaimInsertion claimInsertion;
    private final Holders holders;
    private final ClaimIndex index;
    private final ContentionMode contentionMode;

    public CalendarGroupCommit(
            Claims claims, Holders holders, ClaimIndex index, ContentionMode contentionMode) {
        this.claimInsertion = new ClaimInsertion(claims);
        this.holders = holders;
        this.index = index;
        this.contentionMode = contentionMode;
    }

    /**
     * The gathered changes of one transaction, and the number of those that are executed already.
     */
    private static final class Gathered {

        private final List<Offer> offers = new ArrayList<>();
        private int executedOffers;
        private final List<Taking> takings = new ArrayList<>();
        private int executedTakings;
        private boolean refusesNoMore;
        private int refusals;
        private final Deque<Long> tenureNumbers = new ArrayDeque<>();
    }

    /** Makes the thread's transaction gather changes from now on. */
    public void begin() {
        Gathered gathered = new Gathered();
        TransactionSynchronizationManager.bindResource(this, gathered);
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int status) {
                        TransactionSynchronizationManager.unbindResource(CalendarGroupCommit.this);
                        if (status == STATUS_ROLLED_BACK) {
                            gathered.offers.forEach(CalendarGroupCommit.this::removeFromIndex);
                            gathered.takings.forEach(CalendarGroupCommit.this::removeFromIndex);
                        } else if (status == STATUS_UNKNOWN) {
                            // The connection is lost. Claims that were not stored would refuse
                            // other requests; without those that were, resources would look free.
                            index.invalidate();
                        }
                    }
                });
    }

    /**
     * Executes the gathered changes that are not executed yet; outside a group there are none.
     *
     * @throws CalendarContention if any of them was not possible
     */
    public void executePending() {
        Gathered gathered = gathered();
        if (gathered != null && !(executeClaims(gathered) && acquirePending(gathered))) {
            contentionMode.recordContention();
            throw CalendarContention.lostRace();
        }
    }

    private boolean executeClaims(Gathered gathered) {
        List<Offer> offers =
                gathered.offers.subList(gathered.executedOffers, gathered.offers.size());
        gathered.executedOffers = gathered.offers.size();
        return offers.isEmpty() || claimInsertion.insertAllClaims(offers);
    }

    private boolean acquirePending(Gathered gathered) {
        List<Taking> takings =
                gathered.takings.subList(gathered.executedTakings, gathered.takings.size());
        gathered.executedTakings = gathered.takings.size();
        return takings.isEmpty() || holders.acquire(takings);
    }

    /** Runs a decision that stores nothing. */
    public <T> T rehearse(Callable<T> decision) throws Exception {
        TransactionSynchronizationManager.bindResource(rehearsalKey, true);
        try {
            return decision.call();
        } finally {
            TransactionSynchronizationManager.unbindResource(rehearsalKey);
        }
    }

    /** Returns whether the thread's decisions store nothing. */
    boolean isRehearsal() {
        return TransactionSynchronizationManager.hasResource(rehearsalKey);
    }

    /** Returns whether the thread's transaction decides several commands. */
    boolean isOpen() {
        return gathered() != null;
    }

    /** Counts a refusal of the thread's group. */
    public void recordRefusal() {
        Gathered gathered = gathered();
        if (gathered != null) {
            gathered.refusals++;
        }
    }

    /**
     * Makes the thread's group decide later refusals alone. It must after the first accepted
     * command: a refusal names a position, and the group's events have none yet.
     */
    public void endRefusals() {
        Gathered gathered = gathered();
        if (gathered != null) {
            gathered.refusesNoMore = true;
        }
    }

    /** Returns whether the thread's transaction may refuse a command now. */
    public boolean canRefuse() {
        Gathered gathered = gathered();
        return gathered == null || (!gathered.refusesNoMore && gathered.refusals < MAX_REFUSALS);
    }

    /** Returns whether a request may be answered from memory now. */
    boolean canAnswerFromMemory() {
        return index.isReady() && isOpen() && !contentionMode.isPessimistic();
    }

    void claim(Collection<Offer> offers) {
        Objects.requireNonNull(gathered()).offers.addAll(offers);
        offers.stream()
                .collect(Collectors.groupingBy(Offer::reservation))
                .forEach(
                        (reservation, ofReservation) ->
                                index.replaceClaims(
                                        ofReservation.getFirst().lease(),
                                        reservation,
                                        ofReservation.stream()
                                                .flatMap(CalendarGroupCommit::claims)
                                                .toList()));
    }

    private static Stream<Claim> claims(Offer offer) {
        return offer.resources().stream()
                .map(
                        resource ->
                                new Claim(
                                        resource.id(),
                                        offer.window(),
                                        resource.allocation().share()));
    }

    /** Makes a reservation the holder of resources that have no other holder. */
    Tenure acquire(
            LeaseId lease, ReservationId reservation, List<ResourceId> resources, Instant now) {
        Gathered gathered = Objects.requireNonNull(gathered());
        if (gathered.tenureNumbers.isEmpty()) {
            gathered.tenureNumbers.addAll(holders.nextTenureNumbers(TENURE_NUMBER_BATCH_SIZE));
        }
        Tenure tenure = new Tenure(reservation, gathered.tenureNumbers.remove());
        resources.forEach(
                resource -> gathered.takings.add(new Taking(lease, tenure, resource, now)));
        index.addHolder(lease, reservation, resources);
        return tenure;
    }

    /** Removes the gathered changes of these reservations that are not executed yet. */
    void removePending(Collection<ReservationId> reservations) {
        Gathered gathered = Objects.requireNonNull(gathered());
        List<Offer> offers =
                gathered.offers.stream()
                        .filter(offer -> reservations.contains(offer.reservation()))
                        .toList();
        List<Taking> takings =
                gathered.takings.stream()
                        .filter(taking -> reservations.contains(taking.tenure().reservation()))
                        .toList();
        offers.forEach(this::removeFromIndex);
        takings.forEach(this::removeFromIndex);
        gathered.offers.removeAll(offers);
        gathered.takings.removeAll(takings);
    }

    private void removeFromIndex(Offer offer) {
        index.replaceClaims(offer.lease(), offer.reservation(), List.of());
    }

    private void removeFromIndex(Taking taking) {
        index.removeHolder(
                taking.lease(), taking.tenure().reservation(), Set.of(taking.resource()));
    }

    private @Nullable Gathered gathered() {
        return (Gathered) TransactionSynchronizationManager.getResource(this);
    }
}
