package org.leasehold.gateway.request;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.util.ForwardedHeaderUtils;

/** Where clients see the service. */
public final class PublicAddress {

    private PublicAddress() {}

    /**
     * The service's root as the client sees it, through whatever proxies and under any prefix;
     * without a slash at its end.
     *
     * @throws IllegalArgumentException if the headers of the proxies are malformed
     */
    public static String root(HttpServletRequest request) {
        var received = new ServletServerHttpRequest(request);
        return ForwardedHeaderUtils.adaptFromForwardedHeaders(
                        received.getURI(), received.getHeaders())
                .replacePath(prefix(request))
                .replaceQuery(null)
                .build()
                .toUriString();
    }

    private static String prefix(HttpServletRequest request) {
        String forwarded = request.getHeader("X-Forwarded-Prefix");
        String prefix = forwarded == null ? request.getContextPath() : forwarded.strip();
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}
