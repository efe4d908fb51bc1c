package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.request.error.RequestId;
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
    private static final String REQUEST_ID_KEY = "request_id";
    private static final String GLOBAL_REQUEST_ID_KEY = "global_request_id";

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RequestId id = RequestId.assign(request, response);
        MDC.put(REQUEST_ID_KEY, id.value());
        String global = request.getHeader(RequestId.HEADER);
        if (global != null && GLOBAL_ID.matcher(global).matches()) {
            MDC.put(GLOBAL_REQUEST_ID_KEY, global);
        }
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove(REQUEST_ID_KEY);
            MDC.remove(GLOBAL_REQUEST_ID_KEY);
        }
    }
}
