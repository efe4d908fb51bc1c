package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;

/**
 * Reads the body of a request once, whole and within limits, and refuses text that cannot be
 * stored. It comes after the access rules: who may not ask is not listened to.
 */
final class BodyFilter extends OncePerRequestFilter {

    private static final int LARGEST_BODY = 1 << 20;
    private static final String IDENTITY = "identity";

    private final EdgeErrors errors;

    BodyFilter(EdgeErrors errors) {
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.strip().equalsIgnoreCase(IDENTITY)) {
            response.setHeader(HttpHeaders.ACCEPT_ENCODING, IDENTITY);
            errors.refuse(request, response, 415, "A request body is not compressed.");
            return;
        }
        byte[] body = request.getInputStream().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            errors.refuse(
                    request,
                    response,
                    413,
                    "A request body has at most " + LARGEST_BODY + " bytes.");
            return;
        }
        var flaw = JsonText.flawOf(body);
        if (flaw.isPresent()) {
            errors.refuse(request, response, flaw.get());
            return;
        }
        chain.doFilter(new BufferedRequest(request, body), response);
    }
}
