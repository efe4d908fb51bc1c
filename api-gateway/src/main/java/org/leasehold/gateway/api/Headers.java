package org.leasehold.gateway.api;

import org.springframework.http.HttpHeaders;

/** The headers that say which state of the engine an answer stands on. */
final class Headers {

    /** The position among all events that an answer includes. */
    static final String POSITION = "Leasehold-Position";

    private Headers() {}

    static HttpHeaders at(long position) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(POSITION, Long.toString(position));
        return headers;
    }
}
