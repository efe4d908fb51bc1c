package org.leasehold.gateway.api.http;

import org.springframework.http.HttpHeaders;

/** The headers that give the state of the engine behind a response. */
public final class EventLogHeaders {

    /** The position in the event log up to which a response includes all events. */
    public static final String POSITION = "Leasehold-Position";

    /** The number of the database's epoch; a new one begins when events are lost. */
    public static final String EPOCH = "Leasehold-Epoch";

    private EventLogHeaders() {}

    public static HttpHeaders at(long position) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(POSITION, Long.toString(position));
        return headers;
    }
}
