package org.leasehold.gateway.api.query;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.operation.ProjectionOffsets;

import java.time.Clock;
import java.time.Instant;

/** Converts an instant in the past into the position of the last event that was known then. */
public final class AsOfResolver {

    private final EventLogPositions positions;
    private final ProjectionOffsets projections;
    private final Clock clock;

    public AsOfResolver(EventLogPositions positions, ProjectionOffsets projections, Clock clock) {
        this.positions = positions;
        this.projections = projections;
        this.clock = clock;
    }

    /**
     * Returns the position of the last event stored by then, and adds it to the response.
     *
     * @throws ProblemException if that instant is in the future
     */
    public long resolvePosition(Instant asOf, HttpServletResponse response) {
        if (asOf.isAfter(clock.instant())) {
            throw new ProblemException(Problem.ofField("as_of", "must not be in the future"));
        }
        long position = positions.at(asOf);
        response.setHeader(EventLogHeaders.POSITION, Long.toString(position));
        return position;
    }

    /**
     * Does the same, and waits for the read models that the response needs.
     *
     * @param asOf null for the present
     * @throws ProblemException also if one of them does not reach the position in time
     */
    public Known resolve(
            @Nullable Instant asOf, HttpServletResponse response, String... readModels) {
        if (asOf == null) {
            return new Known(clock.instant(), null);
        }
        long position = resolvePosition(asOf, response);
        for (String readModel : readModels) {
            ResponsePositionInterceptor.awaitPosition(
                    position, () -> projections.position(readModel));
        }
        return new Known(asOf, position);
    }

    /**
     * An instant and the events known at that instant.
     *
     * @param now the present at that instant
     * @param position of the last event that was known; null for all events
     */
    public record Known(Instant now, @Nullable Long position) {}
}
