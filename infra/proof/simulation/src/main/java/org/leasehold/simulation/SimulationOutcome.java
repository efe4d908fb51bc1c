package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The outcome of a run.
 *
 * @param complaint the violation; null if there is none
 * @param ended the virtual time at the end, or at the violation
 * @param events the number of stored events
 * @param digest a hash of all events: the same for the same scenario
 */
record SimulationOutcome(
        @Nullable String complaint, Instant ended, long events, long actions, int digest) {

    static SimulationOutcome of(@Nullable String complaint, DurableState engine, long actions) {
        return new SimulationOutcome(
                complaint,
                engine.clock().instant(),
                engine.eventLog().head(),
                actions,
                digest(engine, actions));
    }

    private static int digest(DurableState engine, long actions) {
        int digest = (int) actions;
        for (var event : engine.eventLog().after(0)) {
            digest =
                    31 * digest
                            + (event.getIdentifier() + event.getTimestamp() + event.getPayload())
                                    .hashCode();
        }
        return digest;
    }
}
