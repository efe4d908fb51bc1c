package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.query.Positions;
import org.leasehold.query.Projections;

import java.time.Clock;
import java.time.Instant;

/** Turns an instant in the past into the position of the last event that was known then. */
final class AsOf {

    private final Positions positions;
    private final Projections projections;
    private final Clock clock;

    AsOf(Positions positions, Projections projections, Clock clock) {
        this.positions = positions;
        this.projections = projections;
        this.clock = clock;
    }

    /**
     * Which events were stored by then; the answer says so.
     *
     * @throws ProblemException if that instant is still to come
     */
    long position(Instant asOf, HttpServletResponse response) {
        if (asOf.isAfter(clock.instant())) {
            throw new ProblemException(Problem.ofField("as_of", "must not be in the future"));
        }
        long position = positions.at(asOf);
        response.setHeader(Headers.POSITION, Long.toString(position));
        return position;
    }

    /**
     * The same, for an answer that a read model has to know them for.
     *
     * @throws ProblemException if it does not get there in time, too
     */
    long position(Instant asOf, String readModel, HttpServletResponse response) {
        long position = position(asOf, response);
        PositionOfAnswers.positionFrom(position, () -> projections.position(readModel));
        return position;
    }
}
