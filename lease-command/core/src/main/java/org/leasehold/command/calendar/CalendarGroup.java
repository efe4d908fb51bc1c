package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.command.calendar.Holders.Taking;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the commands of a group do to the calendar, decided from memory and carried out together, in
 * the order of the resources. Whether memory was right shows then; if it was not, none of the
 * group's commands may be committed.
 */
public final class CalendarGroup {

    /** As many as there may be starts in a group. */
    private static final int GENERATIONS = 64;

    private final Object rehearsal = new Object();
    private final Claiming claiming;
    private final Holders holders;
    private final ClaimIndex index;
    private final Wariness wariness;

    CalendarGroup(Claims claims, Holders holders, ClaimIndex index, Wariness wariness) {
        this.claiming = new Claiming(claims);
        this.holders = holders;
        this.index = index;
        this.wariness = wariness;
    }

    /** What was gathered in one transaction, and how much of it is carried out already. */
    private static final class Gathered {

        private final List<Offer> offers = new ArrayList<>();
        private int claimed;
        private final List<Taking> takings = new ArrayList<>();
        private int takenUp;
        private final Deque<Long> generations = new ArrayDeque<>();
    }

    /** From now on the thread's transaction gathers. */
    public void begin() {
        Gathered gathered = new Gathered();
        TransactionSynchronizationManager.bindResource(this, gathered);
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int status) {
                        TransactionSynchronizationManager.unbindResource(CalendarGroup.this);
                        if (status == STATUS_ROLLED_BACK) {
                            gathered.offers.forEach(CalendarGroup.this::forget);
                            gathered.takings.forEach(CalendarGroup.this::forget);
                        }
                    }
                });
    }

    /**
     * Carries out what was gathered and is not carried out yet. Nothing is, outside a group.
     *
     * @throws CalendarContention if any of it was not possible
     */
    public void carryOut() {
        Gathered gathered = gathered();
        if (gathered != null && !(isClaimed(gathered) && isTakenUp(gathered))) {
            wariness.wasOutrun();
            throw new CalendarContention("somebody else was faster");
        }
    }

    private boolean isClaimed(Gathered gathered) {
        List<Offer> offers = gathered.offers.subList(gathered.claimed, gathered.offers.size());
        gathered.claimed = gathered.offers.size();
        if (offers.isEmpty()) {
            return true;
        }
        Map<ReservationId, Long> wanted =
                offers.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Offer::reservation,
                                        Collectors.summingLong(offer -> offer.resources().size())));
        try {
            Map<ReservationId, Set<ResourceId>> claimed = claiming.claim(offers);
            return wanted.entrySet().stream()
                    .allMatch(
                            each ->
                                    Objects.requireNonNull(claimed.get(each.getKey())).size()
                                            == each.getValue());
        } catch (CalendarContention lessIsLeft) {
            return false;
        }
    }

    private boolean isTakenUp(Gathered gathered) {
        List<Taking> takings = gathered.takings.subList(gathered.takenUp, gathered.takings.size());
        gathered.takenUp = gathered.takings.size();
        return takings.isEmpty() || holders.takeUp(takings);
    }

    /** Runs a decision of which nothing will be stored. */
    public <T> T rehearse(Callable<T> decision) throws Exception {
        TransactionSynchronizationManager.bindResource(rehearsal, true);
        try {
            return decision.call();
        } finally {
            TransactionSynchronizationManager.unbindResource(rehearsal);
        }
    }

    /** Whether nothing of what the thread decides will be stored. */
    boolean isRehearsal() {
        return TransactionSynchronizationManager.hasResource(rehearsal);
    }

    /** Whether the thread's transaction decides several commands. */
    boolean isOpen() {
        return gathered() != null;
    }

    /** Whether this request may be answered from memory. */
    boolean isGathering() {
        return index.isReady() && isOpen() && !wariness.isWary();
    }

    void claim(Collection<Offer> offers) {
        Objects.requireNonNull(gathered()).offers.addAll(offers);
        offers.stream()
                .collect(Collectors.groupingBy(Offer::reservation))
                .forEach(
                        (reservation, its) ->
                                index.put(
                                        its.getFirst().lease(),
                                        reservation,
                                        its.stream().flatMap(CalendarGroup::claims).toList()));
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

    /** Makes a reservation the holder of resources that nobody else has. */
    Tenure takeUp(
            LeaseId lease, ReservationId reservation, List<ResourceId> resources, Instant now) {
        Gathered gathered = Objects.requireNonNull(gathered());
        if (gathered.generations.isEmpty()) {
            gathered.generations.addAll(holders.generations(GENERATIONS));
        }
        Tenure tenure = new Tenure(reservation, gathered.generations.remove());
        resources.forEach(
                resource -> gathered.takings.add(new Taking(lease, tenure, resource, now)));
        index.take(lease, reservation, resources);
        return tenure;
    }

    /** Forgets what these have gathered, which is not carried out yet. */
    void takeBack(Collection<ReservationId> reservations) {
        Gathered gathered = Objects.requireNonNull(gathered());
        List<Offer> offers =
                gathered.offers.stream()
                        .filter(offer -> reservations.contains(offer.reservation()))
                        .toList();
        List<Taking> takings =
                gathered.takings.stream()
                        .filter(taking -> reservations.contains(taking.tenure().reservation()))
                        .toList();
        offers.forEach(this::forget);
        takings.forEach(this::forget);
        gathered.offers.removeAll(offers);
        gathered.takings.removeAll(takings);
    }

    private void forget(Offer offer) {
        index.put(offer.lease(), offer.reservation(), List.of());
    }

    private void forget(Taking taking) {
        index.letGo(taking.lease(), taking.tenure().reservation(), Set.of(taking.resource()));
    }

    private @Nullable Gathered gathered() {
        return (Gathered) TransactionSynchronizationManager.getResource(this);
    }
}
