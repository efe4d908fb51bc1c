package org.leasehold.gateway.request.error;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.util.Locale;
import java.util.UUID;

/** The id of a request in logs, events and responses, in OpenStack's form {@code req-<uuid>}. */
public record RequestId(String value) {

    public static final String HEADER = "X-OpenStack-Request-ID";

    private static final String ATTRIBUTE = RequestId.class.getName();

    /** Returns the id of a request that is being served. */
    public static RequestId of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof RequestId id) {
            return id;
        }
        throw new IllegalStateException("the request id filter did not run");
    }

    /** Returns whether a request has an id already. */
    public static boolean hasId(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RequestId;
    }

    /** Gives a request an id, and returns it to the client. */
    public static RequestId assign(HttpServletRequest request, HttpServletResponse response) {
        RequestId id = new RequestId("req-" + UUID.randomUUID());
        request.setAttribute(ATTRIBUTE, id);
        response.setHeader(HEADER.toLowerCase(Locale.ROOT), id.value());
        return id;
    }

    @Override
    public String toString() {
        return value;
    }
}
