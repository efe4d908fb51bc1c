package org.leasehold.gateway.request.header;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.util.UriComponentsBuilder;

/** The address at which clients see the service. */
public final class PublicBaseUrl {

    /** Tomcat's attribute for requests that a trusted proxy forwarded. */
    private static final String TRUSTED_PROXY_ATTRIBUTE = "org.apache.tomcat.request.forwarded";

    private PublicBaseUrl() {}

    /**
     * Returns the root of the service as the client sees it, through all proxies and under any
     * prefix; without a slash at its end. The server trusts the headers of proxies only if the
     * operator has configured it.
     */
    public static String of(HttpServletRequest request) {
        return UriComponentsBuilder.fromUriString(request.getRequestURL().toString())
                .replacePath(prefix(request))
                .build()
                .toUriString();
    }

    private static String prefix(HttpServletRequest request) {
        // The server takes all but the prefix from a proxy that it trusts.
        String forwarded =
                request.getAttribute(TRUSTED_PROXY_ATTRIBUTE) == null
                        ? null
                        : request.getHeader("X-Forwarded-Prefix");
        String prefix = forwarded == null ? request.getContextPath() : forwarded.strip();
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}
