package org.leasehold.wire.event;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.Epochs;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.audit.AuditExport.Discretion;
import org.leasehold.readmodel.audit.AuditExport.Seen;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.wire.lease.PluginRendering;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The redaction of events. */
public final class EventRedaction {

    /** A reader that preserves all digits of stored numbers. */
    private static final ObjectReader DATA_READER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build()
                    .readerFor(new TypeReference<Map<String, @Nullable Object>>() {});

    private static final String PROPERTY_STREAM_TYPE = "Property";

    private final PluginRendering plugins;
    private final Function<ResourceKind, Set<String>> hiddenProperties;
    private final String installation;
    private final Epochs epochs;

    /**
     * Creates the redaction.
     *
     * @param hiddenProperties returns the properties of a kind that only administrators may see
     * @param installation the name of this engine, as a URI reference
     */
    public EventRedaction(
            PluginRendering plugins,
            Function<ResourceKind, Set<String>> hiddenProperties,
            String installation,
            Epochs epochs) {
        this.plugins = plugins;
        this.hiddenProperties = hiddenProperties;
        this.installation = installation;
        this.epochs = epochs;
    }

    /** Returns the name of this engine, as a URI reference. */
    public String installation() {
        return installation;
    }

    /**
     * Returns the {@code source} of an event. The epoch is part of it: a lost event has another
     * source than those that follow.
     */
    String source(long position) {
        long epoch = epochs.of(position).number();
        return epoch == 1 ? installation : installation + "?epoch=" + epoch;
    }

    /** Returns the fields of an event without secrets, as administrators see them. */
    Map<String, @Nullable Object> fieldsForOperators(Entry entry) {
        return redactorForOperators().apply(DATA_READER.readValue(entry.data()));
    }

    /**
     * Returns a function that redacts events for all but administrators. It queries hidden
     * properties now.
     */
    public UnaryOperator<Map<String, @Nullable Object>> redactorForProjects() {
        HiddenProperties hidden =
                new HiddenProperties(
                        plugins.kinds().stream()
                                .flatMap(kind -> hiddenProperties.apply(kind).stream())
                                .collect(toUnmodifiableSet()));
        return details ->
                hidden.removeFrom(EventDetails.redact(details, false, plugins::redactParameters));
    }

    /** Returns a function that redacts events for administrators. */
    public UnaryOperator<Map<String, @Nullable Object>> redactorForOperators() {
        return details -> EventDetails.redact(details, true, plugins::redactParameters);
    }

    /** Returns a redacted event as a CloudEvent. */
    public CloudEvent toCloudEvent(
            Entry entry, UnaryOperator<Map<String, @Nullable Object>> redactor) {
        RedactedEvent redacted = redact(entry.streamType(), entry.stream(), entry.data(), redactor);
        return CloudEvent.of(entry, source(entry.position()), redacted.subject(), redacted.data());
    }

    /**
     * A redacted event.
     *
     * @param subject the id of the lease or resource
     */
    public record RedactedEvent(String subject, Map<String, @Nullable Object> data) {}

    /**
     * Redacts an event of a subject.
     *
     * @param stream the id of the subject
     * @param payload the event's own fields as JSON
     */
    public RedactedEvent redact(
            String streamType,
            String stream,
            String payload,
            UnaryOperator<Map<String, @Nullable Object>> redactor) {
        Map<String, @Nullable Object> data = redactor.apply(DATA_READER.readValue(payload));
        return new RedactedEvent(subject(streamType, stream, data), data);
    }

    /**
     * Returns a function that decides which parts of stored events to show: the whole event if its
     * redaction leaves it unchanged.
     */
    public static Discretion discretion(UnaryOperator<Map<String, @Nullable Object>> redactor) {
        return (streamType, stream, payload) -> {
            // Read twice: a plug-in may modify the map in which it hides values.
            Map<String, @Nullable Object> stored = DATA_READER.readValue(payload);
            Map<String, @Nullable Object> redacted = redactor.apply(DATA_READER.readValue(payload));
            if (isNameHidden(streamType, redacted)) {
                return Seen.NOTHING;
            }
            return redacted.equals(stored) ? Seen.WHOLE : Seen.STREAM;
        };
    }

    /** Hides the name of a property in the id of its stream, too, if the data hides it. */
    private static String subject(
            String streamType, String stream, Map<String, @Nullable Object> data) {
        return isNameHidden(streamType, data) ? stream.substring(0, stream.indexOf('/')) : stream;
    }

    private static boolean isNameHidden(String streamType, Map<String, @Nullable Object> data) {
        return streamType.equals(PROPERTY_STREAM_TYPE) && !data.containsKey("property");
    }
}
