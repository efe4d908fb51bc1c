package org.leasehold.gateway.limits;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;

/**
 * Marks the threads of requests, and reports requests that any filter or controller rejects because
 * of a limit.
 */
final class LimitReportFilter extends OncePerRequestFilter {

    private static final String HEALTH = "/actuator/health";

    private final LimitListener listener;

    LimitReportFilter(LimitListener listener) {
        this.listener = listener;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Health checks are shared by all callers and must not wait for the connections of clients.
        if (request.getRequestURI().startsWith(HEALTH)) {
            chain.doFilter(request, response);
            return;
        }
        try (ClientThreadMarker.Mark _ = ClientThreadMarker.mark()) {
            chain.doFilter(request, response);
        } finally {
            Limit.of(request).ifPresent(listener::onRejected);
        }
    }
}
