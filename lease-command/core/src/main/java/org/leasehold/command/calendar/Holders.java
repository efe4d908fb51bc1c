package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The table that says who really has a resource. Every method is one statement of the transaction
 * of the moment.
 */
interface Holders {

    /**
     * Makes the reservations the holders of these resources, or of shares of them, under one new
     * generation each.
     *
     * @throws CalendarContention if somebody else has one of them
     */
    List<Tenure> takeUp(LeaseId lease, Map<ReservationId, List<Allocation>> taken, Instant now);

    /** Whole ones; false if any of them is out of service or in somebody else's hands. */
    boolean takeUp(List<Taking> takings);

    /** Numbers that no tenure has had before. */
    List<Long> generations(int count);

    /** Who has what, one by one. */
    List<Taking> all();

    /** What these resources are like; none of them changes before this transaction ends. */
    Map<ResourceId, Condition> conditions(Collection<ResourceId> resources);

    /** Who has these resources; nobody can let go of one before this transaction ends. */
    Map<ResourceId, List<Hand>> lock(Collection<ResourceId> resources);

    /** Takes these out of the reservation's hands; all that it has, if none is named. */
    void letGo(ReservationId reservation, Set<ResourceId> resources);

    void letAllGo(LeaseId lease);

    /** A new generation for everything that these reservations have. */
    List<Tenure> renew(Collection<ReservationId> reservations);

    /** Empty if the reservation has nothing. */
    Optional<LeaseId> leaseOf(ReservationId reservation);

    boolean isCurrent(Tenure tenure);

    /**
     * That a reservation becomes the holder of a resource.
     *
     * @param tenure of all that the reservation takes up together
     */
    record Taking(LeaseId lease, Tenure tenure, ResourceId resource, Instant since) {}

    /** That a reservation has a resource, or a share of it. */
    record Hand(ReservationId reservation, boolean shares) {}

    /** What a resource was found to be like, and in whose hands. */
    record Condition(
            String name, boolean inService, @Nullable String disabledReason, List<Hand> hands) {

        public Condition {
            hands = List.copyOf(hands);
        }

        Condition in(List<Hand> newHands) {
            return new Condition(name, inService, disabledReason, newHands);
        }

        /** Who has to let go before a reservation can take up what it was granted. */
        List<ReservationId> inTheWayOf(ReservationId reservation, Allocation granted) {
            return hands.stream()
                    .filter(hand -> granted.share() == null || !hand.shares())
                    .map(Hand::reservation)
                    .filter(holder -> !holder.equals(reservation))
                    .sorted(Comparator.comparing(ReservationId::toString))
                    .toList();
        }

        String outOfService() {
            return disabledReason == null
                    ? name + " is out of service"
                    : name + " is out of service: " + disabledReason;
        }

        String stillHeld(List<ReservationId> by) {
            return by.stream()
                    .map(holder -> name + " is still in the hands of reservation " + holder)
                    .collect(Collectors.joining("; "));
        }
    }
}
