package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Feed.Entry;

import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Events as they are read in the feed, for those who send them elsewhere. */
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

    /** The same bytes as the {@code data} of the feed, as administrators read it. */
    public byte[] data(Entry entry) {
        return json.writeValueAsBytes(telling.toldToOperators(entry));
    }

    /**
     * Whole events, as a project reads those of its leases in the feed. What is hidden is looked up
     * now.
     */
    public Function<Entry, byte[]> asToldToProjects() {
        return whole(telling.asSeenByProjects());
    }

    /** Whole events, as administrators read them in the feed. */
    public Function<Entry, byte[]> asToldToOperators() {
        return whole(telling.asSeenByOperators());
    }

    private Function<Entry, byte[]> whole(UnaryOperator<Map<String, @Nullable Object>> seen) {
        return entry -> json.writeValueAsBytes(telling.tell(entry, seen));
    }
}
