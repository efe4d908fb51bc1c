package org.leasehold.gateway.security.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.limits.RequestConcurrencyLimiter;
import org.leasehold.gateway.limits.RequestConcurrencyLimiter.Turn;
import org.leasehold.gateway.limits.RequestOwner;
import org.leasehold.gateway.limits.RequestRateLimiter;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.security.Caller;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Gives each caller its share of what a node serves at the same time. It runs after the access
 * rules, which know the caller, and before the body is read, which may be slow.
 */
final class RequestLimitFilter extends OncePerRequestFilter {

    /** The path of probes, which must get a response under any load. */
    private static final String HEALTH = "/actuator/health";

    private static final String RETRY_AFTER = "1";

    private final RequestRateLimiter rateLimiter;
    private final RequestConcurrencyLimiter callerLimiter;
    private final RequestConcurrencyLimiter addressLimiter;
    private final ErrorResponseWriter errors;

    RequestLimitFilter(LimitSettings.Requests settings, ErrorResponseWriter errors) {
        this.rateLimiter = new RequestRateLimiter(settings);
        this.callerLimiter =
                new RequestConcurrencyLimiter(
                        settings.atOnce(), settings.allAtOnce(), settings.patience());
        this.addressLimiter =
                new RequestConcurrencyLimiter(
                        settings.anonymousAtOnce(),
                        settings.allAnonymousAtOnce(),
                        settings.patience());
        this.errors = errors;
    }

    /** The limits of some slots: of one owner, and of all owners. */
    private record Limits(Limit own, Limit all) {}

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return request.getRequestURI().startsWith(HEALTH);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        String owner;
        RequestConcurrencyLimiter slots;
        Limits limits;
        if (who != null && who.getPrincipal() instanceof Caller caller) {
            owner = "user " + caller.user().value();
            slots = callerLimiter;
            limits = new Limits(Limit.REQUESTS_OF_CALLER, Limit.REQUESTS);
            RequestOwner.set(request, owner);
        } else {
            owner = RequestOwner.of(request);
            slots = addressLimiter;
            limits = new Limits(Limit.REQUESTS_OF_ADDRESS, Limit.ANONYMOUS_REQUESTS);
        }
        Optional<Duration> pause = rateLimiter.countRequest(owner);
        if (pause.isPresent()) {
            long seconds = Math.max(1, pause.get().plusMillis(999).toSeconds());
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
            Limit.REQUESTS_PER_SECOND.attachTo(request);
            errors.writeError(request, response, 429, "You send too many requests.");
            return;
        }
        serve(slots, limits, owner, request, response, chain);
    }

    private void serve(
            RequestConcurrencyLimiter slots,
            Limits limits,
            String owner,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws ServletException, IOException {
        try {
            switch (slots.acquire(owner)) {
                case Turn.Taken slot -> {
                    try (slot) {
                        chain.doFilter(request, response);
                    }
                }
                case Turn.OwnTaken() -> {
                    limits.own().attachTo(request);
                    refuse(429, "Too many requests of yours are under way.", request, response);
                }
                case Turn.AllTaken() -> {
                    limits.all().attachTo(request);
                    refuse(503, "Too many requests are under way.", request, response);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            refuse(503, "The server stops.", request, response);
        }
    }

    private void refuse(
            int status, String why, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER);
        errors.writeError(request, response, status, why);
    }
}
