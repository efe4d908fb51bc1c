package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.request.error.ErrorResponseWriter;
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

    private static final String FETCH_SITE_HEADER = "Sec-Fetch-Site";
    private static final Set<String> SAME_SITE_VALUES = Set.of("same-origin", "none");
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final ErrorResponseWriter errors;

    CrossSiteFilter(ErrorResponseWriter errors) {
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (SAFE_METHODS.contains(request.getMethod()) || isSameSite(request)) {
            chain.doFilter(request, response);
        } else {
            errors.writeError(
                    request, response, 403, "A page of another site may not change anything.");
        }
    }

    private static boolean isSameSite(HttpServletRequest request) {
        String site = request.getHeader(FETCH_SITE_HEADER);
        if (site != null) {
            return SAME_SITE_VALUES.contains(site.strip().toLowerCase(Locale.ROOT));
        }
        // Older browsers send the origin only, not the site.
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin == null || isOwnOrigin(origin.strip(), request);
    }

    private static boolean isOwnOrigin(String origin, HttpServletRequest request) {
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
        return "https".equalsIgnoreCase(page.getScheme()) ? HTTPS_PORT : HTTP_PORT;
    }
}
