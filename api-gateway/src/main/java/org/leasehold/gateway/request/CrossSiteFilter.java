package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses what a page of another site makes a browser change. Browsers add a password that they
 * know to such requests, too. Other clients send neither header, and pass.
 */
final class CrossSiteFilter extends OncePerRequestFilter {

    private static final String SITE = "Sec-Fetch-Site";
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final EdgeErrors errors;

    CrossSiteFilter(EdgeErrors errors) {
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (READING.contains(request.getMethod()) || isOfOwnSite(request)) {
            chain.doFilter(request, response);
        } else {
            errors.refuse(
                    request, response, 403, "A page of another site may not change anything.");
        }
    }

    private static boolean isOfOwnSite(HttpServletRequest request) {
        String site = request.getHeader(SITE);
        if (site != null) {
            return OWN_SITE.contains(site.strip().toLowerCase(Locale.ROOT));
        }
        // Older browsers do not say which site, but of which origin.
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin == null || isOwn(origin.strip(), request);
    }

    private static boolean isOwn(String origin, HttpServletRequest request) {
        String authority = authority(origin);
        String host = request.getHeader(HttpHeaders.HOST);
        return authority != null && host != null && authority.equalsIgnoreCase(host.strip());
    }

    private static @Nullable String authority(String origin) {
        try {
            return URI.create(origin).getRawAuthority();
        } catch (IllegalArgumentException noOrigin) {
            return null;
        }
    }
}
