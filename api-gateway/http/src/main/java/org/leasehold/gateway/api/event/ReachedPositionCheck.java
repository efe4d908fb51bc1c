package org.leasehold.gateway.api.event;

import org.leasehold.gateway.NodeRoles;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.LostPositionCheck;
import org.leasehold.history.Epochs;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.operation.ProjectionOffsets;

/** The check that the event log reaches the position at which a client continues. */
public final class ReachedPositionCheck {

    private final EventLogPositions positions;
    private final ProjectionOffsets projections;
    private final Epochs epochs;
    private final NodeRoles roles;

    public ReachedPositionCheck(
            EventLogPositions positions,
            ProjectionOffsets projections,
            Epochs epochs,
            NodeRoles roles) {
        this.positions = positions;
        this.projections = projections;
        this.epochs = epochs;
        this.roles = roles;
    }

    /**
     * Rejects a position beyond the last event: it is of a database that was restored. On a node
     * that reads a replica, the event may not have arrived yet: that node waits.
     */
    void requireReached(long position) {
        LostPositionCheck.requireNotLost(epochs, position);
        if (roles.roles().contains(NodeRole.COMMAND)
                && position > projections.position(EventFeed.READ_MODEL)
                && position > positions.last()) {
            throw new ProblemException(
                    Problem.of(
                            409,
                            "position-not-reached",
                            ("The last event has the position %s, so nothing follows %s. Start from"
                                            + " an existing position.")
                                    .formatted(positions.last(), position)));
        }
    }
}
