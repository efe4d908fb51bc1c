package org.leasehold.gateway.api;

import io.swagger.v3.oas.annotations.Operation;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.query.Positions;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Tells of the answer to a question which events it includes at least. The position is read before
 * the answer: what happens in between may show in the answer, but is not promised to.
 */
final class PositionOfAnswers implements HandlerInterceptor {

    private final Positions positions;

    PositionOfAnswers(Positions positions) {
        this.positions = positions;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            Operation operation = method.getMethodAnnotation(Operation.class);
            if (operation != null
                    && Questions.isOne(request.getMethod(), operation.operationId())) {
                response.setHeader(Headers.POSITION, Long.toString(positions.last()));
            }
        }
        return true;
    }
}
