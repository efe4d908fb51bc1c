package org.leasehold.gateway.api.query;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.history.Epochs;

/** The positions of lost events. */
public final class LostPositionCheck {

    private LostPositionCheck() {}

    /**
     * Accepts the position of an event that is not lost.
     *
     * @throws ProblemException if the event is lost: its consumers have to discard it
     */
    public static void requireNotLost(Epochs epochs, long position) {
        epochs.withoutEventAt(position)
                .ifPresent(
                        epoch -> {
                            throw new ProblemException(
                                    Problem.of(
                                            409,
                                            "position-lost",
                                            ("The event at position %s is lost. Epoch %s began"
                                                            + " after position %s. Discard later"
                                                            + " events of earlier epochs, and"
                                                            + " start from position %s.")
                                                    .formatted(
                                                            position,
                                                            epoch.number(),
                                                            epoch.after(),
                                                            epoch.after())));
                        });
    }
}
