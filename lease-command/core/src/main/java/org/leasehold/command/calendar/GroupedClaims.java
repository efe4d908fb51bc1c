package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.Claims.Offer;
import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.ReservationId;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the commands of a group want to hold, chosen from memory and claimed by one statement, in
 * the order of the resources. Whether it was free shows then; if not all of it was, none of the
 * group's commands may be committed.
 */
public final class GroupedClaims {

    private final Claims claims;
    private final ClaimIndex index;
    private final Wariness wariness;

    GroupedClaims(Claims claims, ClaimIndex index, Wariness wariness) {
        this.claims = claims;
        this.index = index;
        this.wariness = wariness;
    }

    /** From now on the thread's transaction gathers. */
    public void begin() {
        List<Offer> offers = new ArrayList<>();
        TransactionSynchronizationManager.bindResource(this, offers);
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int status) {
                        TransactionSynchronizationManager.unbindResource(GroupedClaims.this);
                        if (status == STATUS_ROLLED_BACK) {
                            offers.forEach(GroupedClaims.this::forget);
                        }
                    }
                });
    }

    /**
     * Claims all that was gathered.
     *
     * @throws CalendarContention if any of it was not free
     */
    public void claim() {
        List<Offer> offers = Objects.requireNonNull(offers());
        if (offers.isEmpty()) {
            return;
        }
        Map<ReservationId, Set<ResourceId>> claimed = claims.claim(offers);
        for (Offer offer : offers) {
            if (Objects.requireNonNull(claimed.get(offer.reservation())).size()
                    < offer.resources().size()) {
                wariness.wasOutrun();
                throw new CalendarContention("somebody else was faster");
            }
        }
    }

    /** Whether this hold may be chosen from memory. */
    boolean isGathering() {
        return index.isReady() && offers() != null && !wariness.isWary();
    }

    void gather(Collection<Offer> more) {
        Objects.requireNonNull(offers()).addAll(more);
        more.forEach(
                offer ->
                        index.put(
                                offer.lease(),
                                offer.reservation(),
                                offer.resources().stream()
                                        .map(resource -> new Claim(resource.id(), offer.window()))
                                        .toList()));
    }

    /** Whether these were gathered, which they are no more. */
    boolean takeBack(Collection<ReservationId> reservations) {
        List<Offer> offers = offers();
        if (offers == null) {
            return false;
        }
        List<Offer> mine =
                offers.stream().filter(o -> reservations.contains(o.reservation())).toList();
        mine.forEach(this::forget);
        return offers.removeAll(mine);
    }

    private void forget(Offer offer) {
        index.put(offer.lease(), offer.reservation(), List.of());
    }

    @SuppressWarnings("unchecked") // Nobody else binds anything to this key.
    private @Nullable List<Offer> offers() {
        return (List<Offer>) TransactionSynchronizationManager.getResource(this);
    }
}
