package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
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
     * The same, for an answer that read models have to know them for.
     *
     * @param asOf null for what is known now
     * @throws ProblemException if one of them does not get there in time, too
     */
    Known known(@Nullable Instant asOf, HttpServletResponse response, String... readModels) {
        if (asOf == null) {
            return new Known(clock.instant(), null);
        }
        long position = position(asOf, response);
        for (String readModel : readModels) {
            PositionOfAnswers.positionFrom(position, () -> projections.position(readModel));
        }
        return new Known(asOf, position);
    }

    /**
     * When something was known.
     *
     * @param now what was the present then
     * @param position of the last event that was known; null for all that there are
     */
    record Known(Instant now, @Nullable Long position) {}
}
