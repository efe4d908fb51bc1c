package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;

/** Removes {@code .json} from paths on {@code /v1}; every path there also exists with it. */
final class JsonSuffixFilter extends OncePerRequestFilter {

    private static final String SUFFIX = ".json";

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getServletPath();
        return !path.startsWith("/v1/")
                || !path.endsWith(SUFFIX)
                || !request.getRequestURI().endsWith(SUFFIX)
                || path.endsWith("/" + SUFFIX);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(new WithoutSuffix(request), response);
    }

    private static final class WithoutSuffix extends HttpServletRequestWrapper {

        WithoutSuffix(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRequestURI() {
            return removeSuffix(super.getRequestURI());
        }

        @Override
        public StringBuffer getRequestURL() {
            return new StringBuffer(removeSuffix(super.getRequestURL().toString()));
        }

        @Override
        public String getServletPath() {
            return removeSuffix(super.getServletPath());
        }

        private static String removeSuffix(String path) {
            return path.substring(0, path.length() - SUFFIX.length());
        }
    }
}
