package org.leasehold.gateway.api.event;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.event.EventResponses.CloudEvent;
import org.leasehold.gateway.api.lease.LeaseResponses.HistoryEvent;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.gateway.security.Role;
import org.leasehold.history.Epochs;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.audit.AuditExport.Discretion;
import org.leasehold.readmodel.audit.AuditExport.Seen;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.web.util.UriComponentsBuilder;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The redaction of events for callers. */
public final class EventRedaction {

    /** A reader that preserves all digits of stored numbers. */
    private static final ObjectReader DATA_READER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build()
                    .readerFor(new TypeReference<Map<String, @Nullable Object>>() {});

    private static final String PROPERTY_STREAM_TYPE = "Property";

    /** A caller who may read the leases of a project, and has no other role. */
    private static final Caller PROJECT_READER =
            new Caller(new UserId("-"), new ProjectId("-"), "", Set.of(Role.READER), "none");

    private final PluginFacade kinds;
    private final PropertyRedaction propertyRedaction;
    private final String installation;
    private final Epochs epochs;

    /**
     * Creates the redaction.
     *
     * @param installation the name of this engine, as a URI reference
     */
    public EventRedaction(
            PluginFacade kinds, PropertyRedaction hidden, String installation, Epochs epochs) {
        this.kinds = kinds;
        this.propertyRedaction = hidden;
        this.installation = installation;
        this.epochs = epochs;
    }

    /**
     * Returns the events that a caller may see. Administrators and auditors see all events, billers
     * those of every lease, planners those of resources, and members of a project those of its
     * leases.
     */
    static Audience audience(Caller caller) {
        boolean everything = caller.hasRole(Role.AUDITOR);
        Set<ProjectId> own = caller.hasRole(Role.READER) ? Set.of(caller.project()) : Set.of();
        return new Audience(
                everything || caller.hasRole(Role.BILLER) ? null : own,
                everything || caller.hasRole(Role.PLANNER));
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
        return epoch == 1
                ? installation
                : UriComponentsBuilder.fromUriString(installation)
                        .queryParam("epoch", epoch)
                        .build()
                        .toUriString();
    }

    /** Returns the fields of an event without secrets, as administrators see them. */
    Map<String, @Nullable Object> fieldsForOperators(Entry entry) {
        return redactorForOperators().apply(DATA_READER.readValue(entry.data()));
    }

    /** Returns a function that redacts events for members of the project of a lease. */
    UnaryOperator<Map<String, @Nullable Object>> redactorForProjects() {
        return redactorFor(PROJECT_READER);
    }

    /** Returns a function that redacts events for administrators. */
    UnaryOperator<Map<String, @Nullable Object>> redactorForOperators() {
        return details -> HistoryEvent.redactDetails(details, true, kinds::redactParameters);
    }

    /** Returns a function that redacts events for a caller; it queries hidden properties once. */
    public UnaryOperator<Map<String, @Nullable Object>> redactorFor(Caller caller) {
        boolean inventoryToo = caller.hasRole(Role.ADMIN);
        UnaryOperator<Map<String, @Nullable Object>> visible =
                propertyRedaction.forEvents(
                        caller, kinds.kindNames().stream().map(ResourceKind::new).toList());
        return details ->
                visible.apply(
                        HistoryEvent.redactDetails(details, inventoryToo, kinds::redactParameters));
    }

    CloudEvent toCloudEvent(Entry entry, UnaryOperator<Map<String, @Nullable Object>> seen) {
        RedactedEvent redacted = redact(entry.streamType(), entry.stream(), entry.data(), seen);
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
            UnaryOperator<Map<String, @Nullable Object>> seen) {
        Map<String, @Nullable Object> data = seen.apply(DATA_READER.readValue(payload));
        return new RedactedEvent(subject(streamType, stream, data), data);
    }

    /**
     * Returns a function that decides which parts of stored events a caller may see: the whole
     * event if the feed shows it unchanged. It queries hidden properties once.
     */
    public Discretion discretionFor(Caller caller) {
        UnaryOperator<Map<String, @Nullable Object>> visible = redactorFor(caller);
        return (streamType, stream, payload) -> {
            // Read twice: a plug-in may modify the map in which it hides values.
            Map<String, @Nullable Object> stored = DATA_READER.readValue(payload);
            Map<String, @Nullable Object> redacted = visible.apply(DATA_READER.readValue(payload));
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
