package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Feed.Entry;

import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Events in the form of the feed, for senders to other systems. */
public final class PublishedEvents {

    private final EventTelling telling;
    private final JsonMapper json;

    PublishedEvents(EventTelling telling, JsonMapper json) {
        this.telling = telling;
        this.json = json;
    }

    /** Returns the name of this engine, as a URI reference. */
    public String installation() {
        return telling.installation();
    }

    /** Returns the {@code source} of an event, by its position. */
    public String source(long position) {
        return telling.source(position);
    }

    /** Returns the same bytes as the {@code data} of the feed for administrators. */
    public byte[] data(Entry entry) {
        return json.writeValueAsBytes(telling.toldToOperators(entry));
    }

    /**
     * Returns a function that gives whole events as the feed of a lease's project has them. It
     * queries hidden properties now.
     */
    public Function<Entry, byte[]> asToldToProjects() {
        return whole(telling.asSeenByProjects());
    }

    /** Returns a function that gives whole events as the feed of administrators has them. */
    public Function<Entry, byte[]> asToldToOperators() {
        return whole(telling.asSeenByOperators());
    }

    private Function<Entry, byte[]> whole(UnaryOperator<Map<String, @Nullable Object>> seen) {
        return entry -> json.writeValueAsBytes(telling.tell(entry, seen));
    }
}
