package org.leasehold.gateway.api.audit;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.AuditResponses.AuditEvent;
import org.leasehold.gateway.api.audit.AuditResponses.AuditEventPage;
import org.leasehold.gateway.api.event.EventAccess;
import org.leasehold.gateway.api.export.StreamedResults;
import org.leasehold.gateway.api.export.StreamedResults.Form;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.security.Caller;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.AuditTrail;
import org.leasehold.readmodel.audit.AuditTrail.Entry;
import org.leasehold.readmodel.audit.AuditTrail.Filter;
import org.leasehold.readmodel.audit.AuditTrail.Search;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.wire.event.EventRedaction;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Redacts the events that auditors search, a page or all of them, and adds the current names of
 * their leases and resources.
 */
public final class AuditRedaction {

    private static final int PAGE_SIZE = 500;

    private final AuditTrail trail;
    private final EventRedaction eventRedaction;
    private final Labels labels;
    private final StreamedResults<AuditEvent> resultStream;

    public AuditRedaction(
            AuditTrail trail, EventRedaction eventRedaction, Labels labels, JsonMapper json) {
        this.trail = trail;
        this.eventRedaction = eventRedaction;
        this.labels = labels;
        this.resultStream = new StreamedResults<>(json, AuditCsv.HEADER, new AuditCsv(json)::line);
    }

    AuditEventPage page(Search question, Caller caller) {
        Page<Entry> page = trail.search(question);
        return new AuditEventPage(redact(page.items(), caller), page.next());
    }

    AuditEvent redact(Entry entry, Caller caller) {
        return redact(List.of(entry), caller).getFirst();
    }

    /** Returns the events as the caller may see them; it queries names once. */
    List<AuditEvent> redact(List<Entry> entries, Caller caller) {
        return label(entries.stream().map(redactorFor(caller)).toList());
    }

    /** Returns a function that redacts events for a caller; it queries hidden properties once. */
    private Function<Entry, AuditEvent> redactorFor(Caller caller) {
        var seen = EventAccess.redactor(eventRedaction, caller);
        return entry ->
                AuditEvent.of(
                        entry,
                        eventRedaction.redact(
                                entry.streamType(), entry.stream(), entry.data(), seen));
    }

    private List<AuditEvent> label(List<AuditEvent> events) {
        Map<LeaseId, LeaseLabel> leases =
                labels.leases(collect(events, AuditRedaction::leaseOf), null);
        Map<ResourceId, ResourceLabel> resources =
                labels.resources(collect(events, AuditRedaction::resourceOf));
        return events.stream()
                .map(
                        event -> {
                            LeaseId lease = leaseOf(event);
                            ResourceId resource = resourceOf(event);
                            return event.withLabels(
                                    lease == null ? null : leases.get(lease),
                                    resource == null ? null : resources.get(resource));
                        })
                .toList();
    }

    private static <T> Set<T> collect(
            List<AuditEvent> events, Function<AuditEvent, @Nullable T> id) {
        return events.stream().map(id).filter(Objects::nonNull).collect(Collectors.toSet());
    }

    private static @Nullable LeaseId leaseOf(AuditEvent event) {
        if (event.subjectType().equals("lease")) {
            return LeaseId.of(event.subject());
        }
        return event.details().get("leaseId") instanceof String id ? LeaseId.of(id) : null;
    }

    private static @Nullable ResourceId resourceOf(AuditEvent event) {
        return event.details().get("resourceId") instanceof Number id
                ? new ResourceId(id.longValue())
                : null;
    }

    /**
     * Writes all that is found.
     *
     * @throws ProblemException if there are too many downloads already
     * @throws IOException if the client has disconnected, or the download failed
     */
    void stream(
            Filter filter,
            @Nullable Instant from,
            @Nullable Instant to,
            Form form,
            Caller caller,
            HttpServletResponse response)
            throws IOException {
        Function<Entry, AuditEvent> redactor = redactorFor(caller);
        resultStream.send(
                caller,
                response,
                form,
                marker -> {
                    Page<AuditEvent> page =
                            trail.search(new Search(filter, from, to, marker, PAGE_SIZE))
                                    .map(redactor);
                    return new Page<>(label(page.items()), page.next());
                });
    }
}
