package org.leasehold.gateway.api;

import org.springframework.http.HttpHeaders;

/** The headers that give the state of the engine behind a response. */
final class EventLogHeaders {

    /** The position in the event log up to which a response includes all events. */
    static final String POSITION = "Leasehold-Position";

    /** The number of the database's epoch; a new one begins when events are lost. */
    static final String EPOCH = "Leasehold-Epoch";

    private EventLogHeaders() {}

    static HttpHeaders at(long position) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(POSITION, Long.toString(position));
        return headers;
    }
}
