package org.leasehold.gateway.security;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.KeptAnswers;
import org.leasehold.command.KeptAnswers.Known;
import org.leasehold.gateway.request.EdgeErrors;
import org.springframework.web.servlet.HandlerInterceptor;

import java.io.IOException;

/**
 * Answers a repeated request with its first response. It reads the idempotency key before any other
 * part of the request, whose resources may be gone by now.
 */
final class RepeatedRequests implements HandlerInterceptor {

    private final KeptAnswers kept;
    private final CommandContexts contexts;
    private final EdgeErrors errors;

    RepeatedRequests(KeptAnswers kept, CommandContexts contexts, EdgeErrors errors) {
        this.kept = kept;
        this.contexts = contexts;
        this.errors = errors;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        Idempotency key = KeyedRequest.keyOf(request);
        if (key == null || request.getDispatcherType() != DispatcherType.REQUEST) {
            return true;
        }
        return switch (kept.find(key, contexts.now())) {
            case Known.Nothing _ -> true;
            case Known.Answered(var answer) -> {
                KeyedRequest.write(answer, response);
                KeyedRequest.markAsAnswered(request);
                yield false;
            }
            case Known.Done(_, boolean isOfWholeProject) -> {
                if (isOfWholeProject) {
                    KeyedRequest.keep(request, key.ofWholeProject());
                }
                yield true;
            }
            case Known.AnotherRequest _ -> {
                errors.keyReused(request, response, key.key());
                KeyedRequest.markAsAnswered(request);
                yield false;
            }
        };
    }
}
