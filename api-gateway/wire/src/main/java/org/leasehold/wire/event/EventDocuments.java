package org.leasehold.wire.event;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.event.EventFeed.Entry;

import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Events in the form of the feed, for senders to other systems. */
public final class EventDocuments {

    private final EventRedaction redaction;
    private final JsonMapper json;

    public EventDocuments(EventRedaction redaction, JsonMapper json) {
        this.redaction = redaction;
        this.json = json;
    }

    /** Returns the name of this engine, as a URI reference. */
    public String installation() {
        return redaction.installation();
    }

    /** Returns the {@code source} of an event, by its position. */
    public String source(long position) {
        return redaction.source(position);
    }

    /** Returns the same bytes as the {@code data} of the feed for administrators. */
    public byte[] data(Entry entry) {
        return json.writeValueAsBytes(redaction.fieldsForOperators(entry));
    }

    /**
     * Returns a function that gives whole events as the feed of a lease's project has them. It
     * queries hidden properties now.
     */
    public Function<Entry, byte[]> serializerForProjects() {
        return serializer(redaction.redactorForProjects());
    }

    /** Returns a function that gives whole events as the feed of administrators has them. */
    public Function<Entry, byte[]> serializerForOperators() {
        return serializer(redaction.redactorForOperators());
    }

    private Function<Entry, byte[]> serializer(UnaryOperator<Map<String, @Nullable Object>> seen) {
        return entry -> json.writeValueAsBytes(redaction.toCloudEvent(entry, seen));
    }
}
