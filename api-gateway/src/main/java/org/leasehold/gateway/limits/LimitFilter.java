package org.leasehold.gateway.limits;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;

/** Reports refused requests, whichever filter or controller refused them. */
final class LimitFilter extends OncePerRequestFilter {

    private final LimitListener listener;

    LimitFilter(LimitListener listener) {
        this.listener = listener;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } finally {
            Limit.of(request).ifPresent(listener::refused);
        }
    }
}
