package org.leasehold.invariants;

import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The state that a lease must have at this point of the history. */
public final class ExpectedLeaseState {

    private final ProjectId project;
    final List<ReservationId> reservations = new ArrayList<>();
    Window period;
    Instant endingSince = Instant.MAX;
    boolean delayedOrFailed;
    boolean started;
    boolean ending;
    boolean ended;
    boolean deleted;

    ExpectedLeaseState(ProjectId project, Window period) {
        this.project = project;
        this.period = period;
    }

    public ProjectId project() {
        return project;
    }

    public Window period() {
        return period;
    }

    /** Returns true if a predecessor still held a resource, or if a plug-in failed. */
    public boolean wasDelayedOrFailed() {
        return delayedOrFailed;
    }

    public boolean hasStarted() {
        return started;
    }

    public boolean isEnding() {
        return ending;
    }

    public boolean hasEnded() {
        return ended;
    }

    public boolean isDeleted() {
        return deleted;
    }
}
