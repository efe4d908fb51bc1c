package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;

/**
 * Selects the form of the feed of events that a client prefers. The framework selects the stream
 * whenever a client lists it, regardless of the weight.
 */
final class EventFormatFilter extends OncePerRequestFilter {

    private static final String FEED_PATH = "/api/events";

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getServletPath().equals(FEED_PATH);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(prefersPages(request) ? new AcceptingPages(request) : request, response);
    }

    private static boolean prefersPages(HttpServletRequest request) {
        List<MediaType> accepted;
        try {
            accepted =
                    MediaType.parseMediaTypes(
                            Collections.list(request.getHeaders(HttpHeaders.ACCEPT)));
        } catch (InvalidMediaTypeException unreadable) {
            // The framework rejects it.
            return false;
        }
        return weight(accepted, MediaType.APPLICATION_JSON)
                > weight(accepted, MediaType.TEXT_EVENT_STREAM);
    }

    /** Returns the weight of the most specific range that includes a type; 0 for none. */
    private static double weight(List<MediaType> accepted, MediaType type) {
        return accepted.stream()
                .filter(range -> range.includes(type))
                .max(
                        Comparator.comparing(
                                range ->
                                        (range.isWildcardType() ? 0 : 1)
                                                + (range.isWildcardSubtype() ? 0 : 1)))
                .map(MediaType::getQualityValue)
                .orElse(0.0);
    }

    private static final class AcceptingPages extends HttpServletRequestWrapper {

        AcceptingPages(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getHeader(String name) {
            return name.equalsIgnoreCase(HttpHeaders.ACCEPT)
                    ? MediaType.APPLICATION_JSON_VALUE
                    : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase(HttpHeaders.ACCEPT)
                    ? Collections.enumeration(List.of(MediaType.APPLICATION_JSON_VALUE))
                    : super.getHeaders(name);
        }
    }
}
