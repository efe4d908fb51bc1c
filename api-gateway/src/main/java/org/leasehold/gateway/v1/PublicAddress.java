package org.leasehold.gateway.v1;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.util.ForwardedHeaderUtils;
import org.springframework.web.util.UriComponents;

/** Where clients see the service. */
final class PublicAddress {

    private PublicAddress() {}

    /** The service's root as the client sees it, through whatever proxies and under any prefix. */
    static String root(HttpServletRequest request) {
        var received = new ServletServerHttpRequest(request);
        try {
            UriComponents seen =
                    ForwardedHeaderUtils.adaptFromForwardedHeaders(
                                    received.getURI(), received.getHeaders())
                            .replacePath(prefix(request))
                            .replaceQuery(null)
                            .build();
            return seen.toUriString();
        } catch (IllegalArgumentException malformedHeader) {
            throw V1Failure.unreadable(400, "The X-Forwarded headers are malformed.");
        }
    }

    private static String prefix(HttpServletRequest request) {
        String forwarded = request.getHeader("X-Forwarded-Prefix");
        String prefix = forwarded == null ? request.getContextPath() : forwarded.strip();
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}
