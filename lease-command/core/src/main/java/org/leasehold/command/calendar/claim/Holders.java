package org.leasehold.command.calendar.claim;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarContention;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The table of the current holders of resources. Every method is one statement in the current
 * transaction.
 */
public interface Holders {

    /**
     * Makes the reservations the holders of these resources, or of shares of them, each in one new
     * tenure.
     *
     * @throws CalendarContention if a resource has another holder
     */
    List<Tenure> acquire(LeaseId lease, Map<ReservationId, List<Allocation>> taken, Instant now);

    /**
     * Does the same for whole resources; returns false if any is out of service or has another
     * holder.
     */
    boolean acquire(List<Taking> takings);

    /** Returns new numbers for tenures. */
    List<Long> nextTenureNumbers(int count);

    /** Returns all holders, each with one resource. */
    List<Taking> findAll();

    /**
     * Returns the conditions of these resources; none of them changes before this transaction ends.
     */
    Map<ResourceId, Condition> lockConditions(Collection<ResourceId> resources);

    /**
     * Returns the holders of these resources; none can be released before this transaction ends.
     */
    Map<ResourceId, List<Hand>> lockHolders(Collection<ResourceId> resources);

    /** Releases these resources of the reservation; all of them if none is named. */
    void release(ReservationId reservation, Set<ResourceId> resources);

    void releaseAll(LeaseId lease);

    /** Begins a new tenure of all resources of these reservations. */
    List<Tenure> renewTenures(Collection<ReservationId> reservations);

    /** Returns the lease of the reservation; empty if the reservation has nothing. */
    Optional<LeaseId> leaseOf(ReservationId reservation);

    boolean isCurrent(Tenure tenure);

    /**
     * A start of a tenure for one resource.
     *
     * @param tenure the tenure of all resources that the reservation gets together
     */
    record Taking(LeaseId lease, Tenure tenure, ResourceId resource, Instant since) {}

    /** A holder of a resource, or of a share of it. */
    record Hand(ReservationId reservation, boolean shares) {}

    /** The condition of a resource in the tables, with its holders. */
    record Condition(
            String name, boolean inService, @Nullable String disabledReason, List<Hand> hands) {

        public Condition {
            hands = List.copyOf(hands);
        }

        public Condition withHands(List<Hand> newHands) {
            return new Condition(name, inService, disabledReason, newHands);
        }

        /**
         * Returns the reservations that must release it before a reservation can have its
         * allocation.
         */
        public List<ReservationId> blockingHolders(ReservationId reservation, Allocation granted) {
            return hands.stream()
                    .filter(hand -> granted.share() == null || !hand.shares())
                    .map(Hand::reservation)
                    .filter(holder -> !holder.equals(reservation))
                    .sorted(Comparator.comparing(ReservationId::toString))
                    .toList();
        }

        public String outOfServiceReason() {
            return disabledReason == null
                    ? name + " is out of service"
                    : name + " is out of service: " + disabledReason;
        }

        public String stillHeldReason(List<ReservationId> by) {
            return by.stream()
                    .map(holder -> name + " is still in the hands of reservation " + holder)
                    .collect(Collectors.joining("; "));
        }
    }
}
