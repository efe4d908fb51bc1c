package org.leasehold.gateway.request;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.util.UriComponentsBuilder;

/** Where clients see the service. */
public final class PublicAddress {

    /** Tomcat's mark on what a trusted proxy forwarded. */
    private static final String TRUSTED = "org.apache.tomcat.request.forwarded";

    private PublicAddress() {}

    /**
     * The service's root as the client sees it, through whatever proxies and under any prefix;
     * without a slash at its end. What proxies say is the server's to believe, and it does so only
     * if the operator has configured it.
     */
    public static String root(HttpServletRequest request) {
        return UriComponentsBuilder.fromUriString(request.getRequestURL().toString())
                .replacePath(prefix(request))
                .build()
                .toUriString();
    }

    private static String prefix(HttpServletRequest request) {
        // The server takes all but the prefix from a proxy that it trusts.
        String forwarded =
                request.getAttribute(TRUSTED) == null
                        ? null
                        : request.getHeader("X-Forwarded-Prefix");
        String prefix = forwarded == null ? request.getContextPath() : forwarded.strip();
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}
