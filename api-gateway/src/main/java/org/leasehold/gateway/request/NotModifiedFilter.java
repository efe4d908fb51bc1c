package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;

/**
 * Answers 304 to a request for anything but what there is, {@code If-None-Match: *}, if there is
 * something. The framework compares tags, but never takes this one as a match when reading.
 */
final class NotModifiedFilter extends OncePerRequestFilter {

    private static final String ANYTHING = "*";

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        return !reads
                || Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH)).stream()
                        .noneMatch(tags -> tags.strip().equals(ANYTHING));
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(request, new NotModified(response));
    }

    /** The server sends no body with 304, whatever is written. */
    private static final class NotModified extends HttpServletResponseWrapper {

        NotModified(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            turn();
            return super.getOutputStream();
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            turn();
            return super.getWriter();
        }

        /** A stream of events is no representation that a client could have kept. */
        private void turn() {
            String type = getContentType();
            boolean isStream = type != null && type.startsWith(MediaType.TEXT_EVENT_STREAM_VALUE);
            if (getStatus() == HttpServletResponse.SC_OK && !isStream) {
                setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            }
        }
    }
}
