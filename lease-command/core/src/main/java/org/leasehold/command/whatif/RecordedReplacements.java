package org.leasehold.command.whatif;

import org.leasehold.command.lease.ReplayedLease;
import org.leasehold.command.lease.ReplayedLease.Stage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ReplaceFailedResource;
import org.leasehold.lease.LeaseCommand.ReplaceResource;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.lease.ResourceMove;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Derives recorded replacements of resources from their events. */
final class RecordedReplacements {

    private RecordedReplacements() {}

    /**
     * Returns the command to replace a resource; empty if the events come from another command.
     *
     * @param turn no change by a user: those have moves and replacements, too
     */
    static Optional<LeaseCommand> find(LeaseId id, ReplayedLease before, CommandEvents turn) {
        if (before.stage() == Stage.PENDING && !turn.has(LeaseStarting.class)) {
            return turn.findFirst(ResourceReplaced.class)
                    .map(it -> new ReplaceResource(id, it.replaced()));
        }
        // A repeated adjustment has moves, but no new grant.
        if (before.stage() == Stage.RUNNING && turn.has(ReservationGranted.class)) {
            return turn.findFirst(ReservationAdjusting.class)
                    .filter(it -> !moves(it).isEmpty())
                    .map(
                            it ->
                                    new ReplaceFailedResource(
                                            id,
                                            it.tenure().reservation(),
                                            moves(it).getLast().from()));
        }
        return Optional.empty();
    }

    /** Returns the resources that replaced others, for the calendar to choose them again. */
    static List<ResourceId> targets(CommandEvents turn) {
        return Stream.concat(
                        turn.eventsOf(ResourceReplaced.class)
                                .map(it -> it.replacement().resource()),
                        turn.eventsOf(ReservationAdjusting.class)
                                .flatMap(it -> moves(it).stream())
                                .map(ResourceMove::to))
                .distinct()
                .toList();
    }

    private static List<ResourceMove> moves(ReservationAdjusting adjusting) {
        List<ResourceMove> moves = adjusting.moves();
        return moves == null ? List.of() : moves;
    }
}
