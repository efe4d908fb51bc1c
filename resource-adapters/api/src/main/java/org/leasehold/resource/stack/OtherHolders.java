package org.leasehold.resource.stack;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Other;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who else has the stack of a reservation, where its project had that before: another lease that
 * names it, or the one that it was made for. On a stack nothing can be written.
 */
public final class OtherHolders {

    /** What a stack is called that is made for a reservation, before the reservation's id. */
    private static final String NAME = "leasehold-";

    private OtherHolders() {}

    /** What a stack is called that is made for a reservation. */
    public static String stackName(ReservationId reservation) {
        return NAME + reservation;
    }

    /** For which reservation a stack of this name was made. */
    public static Optional<ReservationId> reservation(String stackName) {
        return stackName.startsWith(NAME)
                ? ReservationId.find(stackName.substring(NAME.length()))
                : Optional.empty();
    }

    /** Whether there is one, so that its rest and its end are none of this reservation's. */
    public static boolean exist(Assignment assignment) {
        return isMadeForOne(assignment) || others(assignment).findAny().isPresent();
    }

    /** Whether one has it first. Of two that start at the same time it is always the same one. */
    public static boolean comeFirst(Assignment assignment) {
        return isMadeForOne(assignment)
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

    private static boolean isMadeForOne(Assignment assignment) {
        return StackPlanning.existingName(assignment.parameters())
                .flatMap(OtherHolders::reservation)
                .flatMap(assignment.others()::wish)
                .isPresent();
    }

    private static Stream<Other> others(Assignment assignment) {
        return StackPlanning.existing(assignment.parameters()).stream()
                .flatMap(id -> assignment.others().wishing(StackPlanning.STACK_ID, id).stream())
                .filter(other -> !other.reservation().equals(assignment.reservation()));
    }
}
