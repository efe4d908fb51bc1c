package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Rejects state-changing requests from pages of other sites. A browser adds a password that it
 * knows to such requests, too. Other clients send neither header, and pass.
 */
final class CrossSiteFilter extends OncePerRequestFilter {

    private static final String SITE = "Sec-Fetch-Site";
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

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
        // Older browsers send the origin only, not the site.
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin == null || isOwn(origin.strip(), request);
    }

    private static boolean isOwn(String origin, HttpServletRequest request) {
        URI page;
        try {
            page = URI.create(origin);
        } catch (IllegalArgumentException noOrigin) {
            return false;
        }
        // A proxy that the server trusts has corrected these values.
        return request.getScheme().equalsIgnoreCase(page.getScheme())
                && request.getServerName().equalsIgnoreCase(page.getHost())
                && request.getServerPort() == port(page);
    }

    private static int port(URI page) {
        if (page.getPort() >= 0) {
            return page.getPort();
        }
        return "https".equalsIgnoreCase(page.getScheme()) ? HTTPS : HTTP;
    }
}
