package org.leasehold.gateway.command;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.IdempotentResponses;
import org.leasehold.command.IdempotentResponses.Answer;
import org.leasehold.command.IdempotentResponses.Known;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.security.Caller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Stores the first response to each request with an idempotency key. A repeat at the same time gets
 * that response, too, even if its own result differs.
 */
public final class IdempotencyFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyFilter.class);

    private static final Duration MAX_WAIT = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD", "OPTIONS");

    /** Paths that only read although they have a body, and paths whose secret is never stored. */
    private static final Set<String> UNSTORED_PATHS =
            Set.of(
                    "/api/leases/dry-run",
                    "/api/availability",
                    "/api/what-if",
                    "/api/quote",
                    "/api/webhooks",
                    "/api/calendar");

    /**
     * Status codes of errors that depend on more than the key covers: with another header, or at
     * another moment, the same request is valid.
     */
    private static final Set<Integer> TRANSIENT_STATUSES = Set.of(406, 412, 415, 429);

    private final IdempotentResponses responses;
    private final CommandContextFactory contexts;
    private final ErrorResponseWriter errors;

    public IdempotencyFilter(
            IdempotentResponses kept, CommandContextFactory contexts, ErrorResponseWriter errors) {
        this.responses = kept;
        this.contexts = contexts;
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!READ_METHODS.contains(request.getMethod())
                && CommandContextFactory.hasEmptyKey(request)) {
            errors.writeError(
                    request, response, 400, CommandContextFactory.KEY + " must not be empty.");
            return;
        }
        Idempotency key = key(request);
        if (key == null) {
            chain.doFilter(request, response);
            return;
        }
        IdempotentRequest.setKey(request, key);
        ContentCachingResponseWrapper answer = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, answer);
        if (!IdempotentRequest.isAnswered(request)
                && answer.getStatus() < 500
                && !TRANSIENT_STATUSES.contains(answer.getStatus())) {
            storeResponse(key, request, answer);
        }
        answer.copyBodyToResponse();
    }

    private @Nullable Idempotency key(HttpServletRequest request) {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        return who != null
                        && who.getPrincipal() instanceof Caller caller
                        && !READ_METHODS.contains(request.getMethod())
                        && isStored(request)
                ? contexts.of(caller, request).idempotency()
                : null;
    }

    private static boolean isStored(HttpServletRequest request) {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        return UNSTORED_PATHS.stream()
                .noneMatch(other -> path.equals(other) || path.startsWith(other + "/"));
    }

    private void storeResponse(
            Idempotency key, HttpServletRequest request, ContentCachingResponseWrapper answer)
            throws IOException {
        Known known;
        try {
            Answer own =
                    IdempotentRequest.readResponse(
                            answer,
                            new String(answer.getContentAsByteArray(), StandardCharsets.UTF_8));
            if (responses.storeFirst(key, own, contexts.now())) {
                return;
            }
            known = awaitFirstResponse(key);
        } catch (RuntimeException failure) {
            // The command is done and needs a response. A repeat gets the outcome of the command.
            LOG.warn("An answer is not kept", failure);
            return;
        }
        switch (known) {
            case Known.Answered(var first) -> replace(answer, first);
            case Known.Done(long position, _) -> {
                if (request.getMethod().equals("DELETE")) {
                    replace(answer, deleted(position));
                } else {
                    answer.resetBuffer();
                    errors.writeError(
                            request,
                            answer,
                            409,
                            "The request is carried out already, at position %s; its answer is lost."
                                    .formatted(position));
                }
            }
            // The key expired in between: it was the last moment of its day.
            case Known.Nothing _, Known.AnotherRequest _ -> {}
        }
    }

    /** Waits for the first request, which may be a moment away from its response. */
    private Known awaitFirstResponse(Idempotency key) {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        Known known = responses.find(key, contexts.now());
        while (known instanceof Known.Done && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            known = responses.find(key, contexts.now());
        }
        return known;
    }

    private static Answer deleted(long position) {
        return new Answer(204, Map.of("Leasehold-Position", Long.toString(position)), "");
    }

    private static void replace(ContentCachingResponseWrapper answer, Answer first)
            throws IOException {
        answer.resetBuffer();
        IdempotentRequest.writeResponse(first, answer);
    }
}
