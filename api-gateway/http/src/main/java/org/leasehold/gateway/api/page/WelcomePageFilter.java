package org.leasehold.gateway.api.page;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

/**
 * Answers browsers at the root with a page of links. Blazar's clients read the API versions there,
 * with a login. They never accept HTML by name, and browsers do. The page needs no login, so the
 * filter runs before the access rules.
 */
final class WelcomePageFilter extends OncePerRequestFilter {

    /** Permits nothing but the page's own style: it has no scripts and no images. */
    private static final String CONTENT_SECURITY = "default-src 'none'; style-src 'unsafe-inline'";

    private static final Set<String> READS = Set.of("GET", "HEAD");

    private final byte[] page;

    WelcomePageFilter() {
        try {
            page =
                    new ClassPathResource("welcome.html", WelcomePageFilter.class)
                            .getContentAsByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getServletPath().equals("/")
                || !READS.contains(request.getMethod())
                || !acceptsHtml(request);
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        response.setHeader("Content-Security-Policy", CONTENT_SECURITY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentType("text/html;charset=UTF-8");
        response.setContentLength(page.length);
        response.getOutputStream().write(page);
    }

    /** Returns whether the client names HTML; a wildcard does not. */
    private static boolean acceptsHtml(HttpServletRequest request) {
        try {
            return MediaType.parseMediaTypes(request.getHeader(HttpHeaders.ACCEPT)).stream()
                    .anyMatch(MediaType.TEXT_HTML::equalsTypeAndSubtype);
        } catch (InvalidMediaTypeException invalid) {
            return false;
        }
    }
}
