package org.leasehold.gateway.request;

import jakarta.servlet.http.HttpServletRequest;

/** Names a request in logs, events and answers, in OpenStack's form {@code req-<uuid>}. */
public record RequestId(String value) {

    static final String HEADER = "X-OpenStack-Request-ID";

    private static final String ATTRIBUTE = RequestId.class.getName();

    /** The id of a request that is being served. */
    public static RequestId of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof RequestId id) {
            return id;
        }
        throw new IllegalStateException("the request id filter did not run");
    }

    void attachTo(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    @Override
    public String toString() {
        return value;
    }
}
