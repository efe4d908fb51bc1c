package org.leasehold.gateway.v1.http;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.gateway.request.header.PublicBaseUrl;

/** The address at which Blazar's clients see the service. */
public final class V1BaseUrl {

    private V1BaseUrl() {}

    /** Returns the service's root as the client sees it, through all proxies, under any prefix. */
    public static String root(HttpServletRequest request) {
        try {
            return PublicBaseUrl.of(request);
        } catch (IllegalArgumentException malformedHeader) {
            throw V1Exception.frameworkError(400, "The X-Forwarded headers are malformed.");
        }
    }
}
