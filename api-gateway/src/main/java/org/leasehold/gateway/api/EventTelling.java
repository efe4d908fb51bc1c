package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.EventAnswers.CloudEvent;
import org.leasehold.gateway.api.LeaseAnswers.HistoryEvent;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.HiddenProperties;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;
import org.leasehold.query.AuditExport.Discretion;
import org.leasehold.query.AuditExport.Seen;
import org.leasehold.query.Feed.Audience;
import org.leasehold.query.Feed.Entry;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What of the events may be told to whom. */
final class EventTelling {

    /** What was stored is told as it is stored, to the last digit. */
    private static final ObjectReader DATA =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build()
                    .readerFor(new TypeReference<Map<String, @Nullable Object>>() {});

    private static final String PROPERTY = "Property";

    /** Whoever may look at a project's leases, and is nothing else. */
    private static final Caller ANYBODY =
            new Caller(new UserId("-"), new ProjectId("-"), "", Set.of(Role.READER), "none");

    private final Kinds kinds;
    private final HiddenProperties hidden;
    private final String source;

    EventTelling(Kinds kinds, HiddenProperties hidden, String source) {
        this.kinds = kinds;
        this.hidden = hidden;
        this.source = source;
    }

    /**
     * Administrators and auditors are told everything, billers of every lease, planners of
     * resources, and whoever is in a project of its leases.
     */
    static Audience audience(Caller caller) {
        boolean everything = caller.is(Role.AUDITOR);
        Set<ProjectId> own = caller.is(Role.READER) ? Set.of(caller.project()) : Set.of();
        return new Audience(
                everything || caller.is(Role.BILLER) ? null : own,
                everything || caller.is(Role.PLANNER));
    }

    String source() {
        return source;
    }

    /** All of an event but secrets: what administrators are told. */
    Map<String, @Nullable Object> toldToOperators(Entry entry) {
        return asSeenByOperators().apply(DATA.readValue(entry.data()));
    }

    /** Events as whoever is in a project sees those of its leases. */
    UnaryOperator<Map<String, @Nullable Object>> asSeenByProjects() {
        return asSeenBy(ANYBODY);
    }

    /** Events as administrators see them. */
    UnaryOperator<Map<String, @Nullable Object>> asSeenByOperators() {
        return details -> HistoryEvent.told(details, true, kinds::told);
    }

    /** Events as a caller may see them: what is hidden is looked up once. */
    UnaryOperator<Map<String, @Nullable Object>> asSeenBy(Caller caller) {
        boolean inventoryToo = caller.is(Role.ADMIN);
        UnaryOperator<Map<String, @Nullable Object>> visible =
                hidden.ofEventsAsSeenBy(
                        caller, kinds.names().stream().map(ResourceKind::new).toList());
        return details -> visible.apply(HistoryEvent.told(details, inventoryToo, kinds::told));
    }

    CloudEvent tell(Entry entry, UnaryOperator<Map<String, @Nullable Object>> seen) {
        Told told = told(entry.streamType(), entry.stream(), entry.data(), seen);
        return CloudEvent.of(entry, source, told.subject(), told.data());
    }

    /**
     * What may be told of an event.
     *
     * @param subject the id of what it happened to
     */
    record Told(String subject, Map<String, @Nullable Object> data) {}

    /**
     * What may be told of an event that happened to something.
     *
     * @param stream the id of that
     * @param payload the event's own fields as JSON
     */
    Told told(
            String streamType,
            String stream,
            String payload,
            UnaryOperator<Map<String, @Nullable Object>> seen) {
        Map<String, @Nullable Object> told = seen.apply(DATA.readValue(payload));
        return new Told(subject(streamType, stream, told), told);
    }

    /**
     * What of the events, as they are stored, a caller may see: all of those that the feed tells
     * them unchanged. What is hidden is looked up once.
     */
    Discretion discretionTowards(Caller caller) {
        UnaryOperator<Map<String, @Nullable Object>> visible = asSeenBy(caller);
        return (streamType, stream, payload) -> {
            // Read twice: a plugin that hides something may do so in what it is given.
            Map<String, @Nullable Object> stored = DATA.readValue(payload);
            Map<String, @Nullable Object> told = visible.apply(DATA.readValue(payload));
            if (isNameHidden(streamType, told)) {
                return Seen.NOTHING;
            }
            return told.equals(stored) ? Seen.WHOLE : Seen.STREAM;
        };
    }

    /**
     * What happened to a property has its name in the stream's, which is as hidden as in the data.
     */
    private static String subject(
            String streamType, String stream, Map<String, @Nullable Object> told) {
        return isNameHidden(streamType, told) ? stream.substring(0, stream.indexOf('/')) : stream;
    }

    private static boolean isNameHidden(String streamType, Map<String, @Nullable Object> told) {
        return streamType.equals(PROPERTY) && !told.containsKey("property");
    }
}
