package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Gives every request an id of the engine and returns it to the client. The id of a client names a
 * whole chain of requests to several services. It does not replace the engine's id: both are
 * logged.
 */
final class RequestIdFilter extends OncePerRequestFilter {

    private static final Pattern GLOBAL_ID = Pattern.compile("req-[0-9a-fA-F-]{36}");
    private static final String LOGGED = "request_id";
    private static final String LOGGED_GLOBAL = "global_request_id";

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RequestId id = RequestId.give(request, response);
        MDC.put(LOGGED, id.value());
        String global = request.getHeader(RequestId.HEADER);
        if (global != null && GLOBAL_ID.matcher(global).matches()) {
            MDC.put(LOGGED_GLOBAL, global);
        }
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove(LOGGED);
            MDC.remove(LOGGED_GLOBAL);
        }
    }
}
