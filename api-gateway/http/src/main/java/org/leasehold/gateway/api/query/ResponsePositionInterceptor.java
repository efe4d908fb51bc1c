package org.leasehold.gateway.api.query;

import io.swagger.v3.oas.annotations.Operation;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.history.Epochs;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Adds to the response to a query the position up to which it includes all events. The position is
 * read before the data: later events may be in the response, but this is not promised.
 *
 * <p>A caller may change something and then query another node, which may read a replica. If the
 * query has the position of the change, the response waits until it includes it.
 */
public final class ResponsePositionInterceptor implements HandlerInterceptor {

    private static final Duration MAX_WAIT = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private static final Pattern POSITION_PATTERN = Pattern.compile("[0-9]{1,18}");

    private final EventLogPositions positions;
    private final ProjectionOffsets projections;
    private final Epochs epochs;

    public ResponsePositionInterceptor(
            EventLogPositions positions, ProjectionOffsets projections, Epochs epochs) {
        this.positions = positions;
        this.projections = projections;
        this.epochs = epochs;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        // An asynchronous response is dispatched a second time, and has its position already.
        if (handler instanceof HandlerMethod method
                && request.getDispatcherType() == DispatcherType.REQUEST) {
            response.setHeader(EventLogHeaders.EPOCH, Long.toString(epochs.current().number()));
            Operation operation = method.getMethodAnnotation(Operation.class);
            if (operation != null
                    && ReadOperations.isRead(request.getMethod(), operation.operationId())) {
                long atLeast = parsePosition(request.getHeader(EventLogHeaders.POSITION));
                LostPositionCheck.requireNotLost(epochs, atLeast);
                long position = awaitPosition(atLeast, dataPosition(method, request));
                response.setHeader(EventLogHeaders.POSITION, Long.toString(position));
            }
        }
        return true;
    }

    /** Returns the position of the data behind the response. */
    private LongSupplier dataPosition(HandlerMethod method, HttpServletRequest request) {
        AnsweredFrom readModel = method.getMethodAnnotation(AnsweredFrom.class);
        return readModel == null
                        || (!readModel.with().isEmpty()
                                && request.getParameter(readModel.with()) == null)
                ? positions::last
                : () ->
                        Arrays.stream(readModel.value())
                                .mapToLong(projections::position)
                                .min()
                                .orElseThrow();
    }

    private static long parsePosition(@Nullable String header) {
        if (header == null) {
            return 0;
        }
        if (!POSITION_PATTERN.matcher(header).matches()) {
            throw new ProblemException(
                    Problem.ofField(EventLogHeaders.POSITION, "must be a position"));
        }
        return Long.parseLong(header);
    }

    /**
     * Waits a moment until the data behind a response includes an event.
     *
     * @return the position of the data
     * @throws ProblemException if it does not get there in time
     */
    static long awaitPosition(long atLeast, LongSupplier standing) {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        long position = standing.getAsLong();
        while (position < atLeast && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            position = standing.getAsLong();
        }
        if (position < atLeast) {
            throw new ProblemException(
                    Problem.of(
                            503,
                            "behind",
                            "This node is at position %s, and does not get to %s in time."
                                    .formatted(position, atLeast)));
        }
        return position;
    }
}
