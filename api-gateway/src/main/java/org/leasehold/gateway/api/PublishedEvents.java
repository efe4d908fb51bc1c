package org.leasehold.gateway.api;

import org.leasehold.query.Feed.Entry;

import tools.jackson.databind.json.JsonMapper;

/** Events as an administrator reads them in the feed, for those who send them elsewhere. */
public final class PublishedEvents {

    private final EventTelling telling;
    private final JsonMapper json;

    PublishedEvents(EventTelling telling, JsonMapper json) {
        this.telling = telling;
        this.json = json;
    }

    /** The {@code source} of each. */
    public String source() {
        return telling.source();
    }

    /** The same bytes as the {@code data} of the feed. */
    public byte[] data(Entry entry) {
        return json.writeValueAsBytes(telling.toldToOperators(entry));
    }
}
