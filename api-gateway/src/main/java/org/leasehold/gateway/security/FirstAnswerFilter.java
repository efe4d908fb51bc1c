package org.leasehold.gateway.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.KeptAnswers;
import org.leasehold.command.KeptAnswers.Answer;
import org.leasehold.command.KeptAnswers.Known;
import org.leasehold.gateway.request.EdgeErrors;
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
final class FirstAnswerFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(FirstAnswerFilter.class);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /** Paths that only read although they have a body, and paths whose secret is never stored. */
    private static final Set<String> UNKEPT =
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
    private static final Set<Integer> PASSING = Set.of(406, 412, 415, 429);

    private final KeptAnswers kept;
    private final CommandContexts contexts;
    private final EdgeErrors errors;

    FirstAnswerFilter(KeptAnswers kept, CommandContexts contexts, EdgeErrors errors) {
        this.kept = kept;
        this.contexts = contexts;
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!READING.contains(request.getMethod()) && CommandContexts.hasEmptyKey(request)) {
            errors.refuse(request, response, 400, CommandContexts.KEY + " must not be empty.");
            return;
        }
        Idempotency key = key(request);
        if (key == null) {
            chain.doFilter(request, response);
            return;
        }
        KeyedRequest.keep(request, key);
        ContentCachingResponseWrapper answer = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, answer);
        if (!KeyedRequest.isAnswered(request)
                && answer.getStatus() < 500
                && !PASSING.contains(answer.getStatus())) {
            keep(key, request, answer);
        }
        answer.copyBodyToResponse();
    }

    private @Nullable Idempotency key(HttpServletRequest request) {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        return who != null
                        && who.getPrincipal() instanceof Caller caller
                        && !READING.contains(request.getMethod())
                        && isKept(request)
                ? contexts.of(caller, request).idempotency()
                : null;
    }

    private static boolean isKept(HttpServletRequest request) {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        return UNKEPT.stream()
                .noneMatch(other -> path.equals(other) || path.startsWith(other + "/"));
    }

    private void keep(
            Idempotency key, HttpServletRequest request, ContentCachingResponseWrapper answer)
            throws IOException {
        Known known;
        try {
            Answer own =
                    KeyedRequest.read(
                            answer,
                            new String(answer.getContentAsByteArray(), StandardCharsets.UTF_8));
            if (kept.keep(key, own, contexts.now())) {
                return;
            }
            known = awaitFirst(key);
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
                    errors.refuse(
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
    private Known awaitFirst(Idempotency key) {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        Known known = kept.find(key, contexts.now());
        while (known instanceof Known.Done && System.nanoTime() < deadline) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            known = kept.find(key, contexts.now());
        }
        return known;
    }

    private static Answer deleted(long position) {
        return new Answer(204, Map.of("Leasehold-Position", Long.toString(position)), "");
    }

    private static void replace(ContentCachingResponseWrapper answer, Answer first)
            throws IOException {
        answer.resetBuffer();
        KeyedRequest.write(first, answer);
    }
}
