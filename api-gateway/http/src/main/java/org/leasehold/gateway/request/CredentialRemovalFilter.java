package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Removes credentials from requests whose address is the secret. Some calendar programs send the
 * credentials that they know for the host, and these need not be valid.
 */
final class CredentialRemovalFilter extends OncePerRequestFilter {

    private static final List<String> CREDENTIALS =
            List.of(HttpHeaders.AUTHORIZATION, "X-Auth-Token");

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getServletPath()
                .startsWith(RequestObservationConvention.SECRET_PATH_PREFIX);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(new WithoutCredentials(request), response);
    }

    private static final class WithoutCredentials extends HttpServletRequestWrapper {

        WithoutCredentials(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return isCredential(name) ? null : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return isCredential(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
        }

        private static boolean isCredential(String name) {
            return CREDENTIALS.stream().anyMatch(name::equalsIgnoreCase);
        }
    }
}
