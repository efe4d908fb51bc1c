package org.leasehold.gateway.v1;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.gateway.request.PublicAddress;

/** The address at which Blazar's clients see the service. */
final class V1Address {

    private V1Address() {}

    /** Returns the service's root as the client sees it, through all proxies, under any prefix. */
    static String root(HttpServletRequest request) {
        try {
            return PublicAddress.root(request);
        } catch (IllegalArgumentException malformedHeader) {
            throw V1Failure.unreadable(400, "The X-Forwarded headers are malformed.");
        }
    }
}
