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
 * Answers 304 to a read with {@code If-None-Match: *} if the resource exists. The framework
 * compares tags, but never takes {@code *} as a match for a read.
 */
final class NotModifiedFilter extends OncePerRequestFilter {

    private static final String WILDCARD = "*";

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        return !reads
                || Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH)).stream()
                        .noneMatch(tags -> tags.strip().equals(WILDCARD));
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(request, new NotModified(response));
    }

    /** Sets the status 304; the server then sends no body, even if one is written. */
    private static final class NotModified extends HttpServletResponseWrapper {

        NotModified(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            setNotModifiedStatus();
            return super.getOutputStream();
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            setNotModifiedStatus();
            return super.getWriter();
        }

        /** Sets 304 unless the response is a stream of events, which no client can have cached. */
        private void setNotModifiedStatus() {
            String type = getContentType();
            boolean isStream = type != null && type.startsWith(MediaType.TEXT_EVENT_STREAM_VALUE);
            if (getStatus() == HttpServletResponse.SC_OK && !isStream) {
                setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            }
        }
    }
}
