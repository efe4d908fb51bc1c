package org.leasehold.gateway.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.limits.RequestOwner;
import org.leasehold.gateway.limits.RequestSlots;
import org.leasehold.gateway.limits.RequestSlots.Turn;
import org.leasehold.gateway.request.EdgeErrors;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;

/**
 * Gives each caller its share of what a node serves at once. It comes after the access rules, which
 * know who asks, and before the body is read, for which a client may take its time.
 */
final class ShareFilter extends OncePerRequestFilter {

    /** Probes are to answer whatever others do. */
    private static final String HEALTH = "/actuator/health";

    private static final String RETRY_AFTER = "1";

    private final RequestSlots callers;
    private final RequestSlots addresses;
    private final EdgeErrors errors;

    ShareFilter(LimitSettings.Requests settings, EdgeErrors errors) {
        this.callers =
                new RequestSlots(settings.atOnce(), settings.allAtOnce(), settings.patience());
        this.addresses =
                new RequestSlots(
                        settings.anonymousAtOnce(),
                        settings.allAnonymousAtOnce(),
                        settings.patience());
        this.errors = errors;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return request.getRequestURI().startsWith(HEALTH);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            switch (take(request)) {
                case Turn.Taken slot -> {
                    try (slot) {
                        chain.doFilter(request, response);
                    }
                }
                case Turn.OwnTaken() ->
                        refuse(429, "Too many requests of yours are under way.", request, response);
                case Turn.AllTaken() ->
                        refuse(503, "Too many requests are under way.", request, response);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            refuse(503, "The server stops.", request, response);
        }
    }

    private Turn take(HttpServletRequest request) throws InterruptedException {
        Authentication who = SecurityContextHolder.getContext().getAuthentication();
        if (who != null && who.getPrincipal() instanceof Caller caller) {
            String owner = "user " + caller.user().value();
            RequestOwner.set(request, owner);
            return callers.take(owner);
        }
        return addresses.take(RequestOwner.of(request));
    }

    private void refuse(
            int status, String why, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER);
        errors.refuse(request, response, status, why);
    }
}
