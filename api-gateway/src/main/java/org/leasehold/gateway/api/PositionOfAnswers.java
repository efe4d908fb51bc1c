package org.leasehold.gateway.api;

import io.swagger.v3.oas.annotations.Operation;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Positions;
import org.leasehold.query.Projections;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Tells of the answer to a question which events it includes at least. The position is read before
 * the answer: what happens in between may show in the answer, but is not promised to.
 *
 * <p>Whoever has changed something and asks another node, which may be on a replica, sends the
 * position of the change along: the answer then waits until it includes that.
 */
final class PositionOfAnswers implements HandlerInterceptor {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private static final Pattern POSITION = Pattern.compile("[0-9]{1,18}");

    private final Positions positions;
    private final Projections projections;

    PositionOfAnswers(Positions positions, Projections projections) {
        this.positions = positions;
        this.projections = projections;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        // What was waited for is dispatched once more, with its position.
        if (handler instanceof HandlerMethod method
                && request.getDispatcherType() == DispatcherType.REQUEST) {
            Operation operation = method.getMethodAnnotation(Operation.class);
            if (operation != null
                    && Questions.isOne(request.getMethod(), operation.operationId())) {
                long position =
                        positionFrom(
                                atLeast(request.getHeader(Headers.POSITION)), standing(method));
                response.setHeader(Headers.POSITION, Long.toString(position));
            }
        }
        return true;
    }

    /** How far that is which the answer is made from. */
    private LongSupplier standing(HandlerMethod method) {
        StandsOn readModel = method.getMethodAnnotation(StandsOn.class);
        return readModel == null
                ? positions::last
                : () ->
                        Arrays.stream(readModel.value())
                                .mapToLong(projections::position)
                                .min()
                                .orElseThrow();
    }

    private static long atLeast(@Nullable String header) {
        if (header == null) {
            return 0;
        }
        if (!POSITION.matcher(header).matches()) {
            throw new ProblemException(Problem.ofField(Headers.POSITION, "must be a position"));
        }
        return Long.parseLong(header);
    }

    /**
     * Waits a moment until what an answer is made from includes an event.
     *
     * @return the position that it stands on
     * @throws ProblemException if it does not get there in time
     */
    static long positionFrom(long atLeast, LongSupplier standing) {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        long position = standing.getAsLong();
        while (position < atLeast && System.nanoTime() < deadline) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
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
