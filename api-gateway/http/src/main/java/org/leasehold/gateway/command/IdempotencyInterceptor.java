package org.leasehold.gateway.command;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.IdempotentResponses;
import org.leasehold.command.IdempotentResponses.Known;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.springframework.web.servlet.HandlerInterceptor;

import java.io.IOException;

/**
 * Answers a repeated request with its first response. It reads the idempotency key before any other
 * part of the request, whose resources may be gone by now.
 */
public final class IdempotencyInterceptor implements HandlerInterceptor {

    private final IdempotentResponses responses;
    private final CommandContextFactory contexts;
    private final ErrorResponseWriter errors;

    public IdempotencyInterceptor(
            IdempotentResponses kept, CommandContextFactory contexts, ErrorResponseWriter errors) {
        this.responses = kept;
        this.contexts = contexts;
        this.errors = errors;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        Idempotency key = IdempotentRequest.keyOf(request);
        if (key == null || request.getDispatcherType() != DispatcherType.REQUEST) {
            return true;
        }
        return switch (responses.find(key, contexts.now())) {
            case Known.Nothing _ -> true;
            case Known.Answered(var answer) -> {
                IdempotentRequest.writeResponse(answer, response);
                IdempotentRequest.markAsAnswered(request);
                yield false;
            }
            case Known.Done(_, boolean isOfWholeProject) -> {
                if (isOfWholeProject) {
                    IdempotentRequest.setKey(request, key.sharedByProject());
                }
                yield true;
            }
            case Known.AnotherRequest _ -> {
                errors.writeKeyReused(request, response, key.key());
                IdempotentRequest.markAsAnswered(request);
                yield false;
            }
        };
    }
}
