package org.leasehold.resource.stack;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Other;
import org.leasehold.vocabulary.ReservationId;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Other holders of a stack that its project had before the reservation: other leases that name it,
 * or the lease that it was created for. Heat lets nothing be written on a stack.
 */
public final class OtherStackHolders {

    /** The prefix of the name of a reservation's own stack, before the reservation's id. */
    private static final String NAME_PREFIX = "leasehold-";

    private OtherStackHolders() {}

    /** Returns the name of a reservation's own stack. */
    public static String stackName(ReservationId reservation) {
        return NAME_PREFIX + reservation;
    }

    /** Returns the reservation for which a stack of this name was created. */
    public static Optional<ReservationId> reservation(String stackName) {
        return stackName.startsWith(NAME_PREFIX)
                ? ReservationId.find(stackName.substring(NAME_PREFIX.length()))
                : Optional.empty();
    }

    /** Returns whether there is one. If so, the reservation must not suspend or end the stack. */
    public static boolean exist(Assignment assignment) {
        return isOwnStackOfAnother(assignment) || others(assignment).findAny().isPresent();
    }

    /** Returns whether another one comes first; always the same of two that start at once. */
    public static boolean anyComesFirst(Assignment assignment) {
        return isOwnStackOfAnother(assignment)
                || others(assignment)
                        .anyMatch(
                                other ->
                                        !other.isStarting()
                                                || isLess(
                                                        other.reservation(),
                                                        assignment.reservation()));
    }

    private static boolean isLess(ReservationId one, ReservationId other) {
        return one.value().compareTo(other.value()) < 0;
    }

    private static boolean isOwnStackOfAnother(Assignment assignment) {
        return StackPlanning.existingName(assignment.parameters())
                .flatMap(OtherStackHolders::reservation)
                .flatMap(assignment.others()::requestOf)
                .isPresent();
    }

    private static Stream<Other> others(Assignment assignment) {
        return StackPlanning.existing(assignment.parameters()).stream()
                .flatMap(id -> assignment.others().findHolders(StackPlanning.STACK_ID, id).stream())
                .filter(other -> !other.reservation().equals(assignment.reservation()));
    }
}
