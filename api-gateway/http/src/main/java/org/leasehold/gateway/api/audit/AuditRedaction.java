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
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.AuditTrail;
import org.leasehold.readmodel.audit.AuditTrail.Entry;
import org.leasehold.readmodel.audit.AuditTrail.Filter;
import org.leasehold.readmodel.audit.AuditTrail.Search;
import org.leasehold.wire.event.EventRedaction;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.time.Instant;
import java.util.function.Function;

/** Redacts the events that auditors search: a page, or all of them. */
public final class AuditRedaction {

    private static final int PAGE_SIZE = 500;

    private final AuditTrail trail;
    private final EventRedaction eventRedaction;
    private final StreamedResults<AuditEvent> resultStream;

    public AuditRedaction(AuditTrail trail, EventRedaction eventRedaction, JsonMapper json) {
        this.trail = trail;
        this.eventRedaction = eventRedaction;
        this.resultStream = new StreamedResults<>(json, AuditCsv.HEADER, new AuditCsv(json)::line);
    }

    AuditEventPage page(Search question, Caller caller) {
        Page<AuditEvent> page = trail.search(question).map(redactorFor(caller));
        return new AuditEventPage(page.items(), page.next());
    }

    /** Returns a function that redacts events for a caller; it queries hidden properties once. */
    Function<Entry, AuditEvent> redactorFor(Caller caller) {
        var seen = EventAccess.redactor(eventRedaction, caller);
        return entry ->
                AuditEvent.of(
                        entry,
                        eventRedaction.redact(
                                entry.streamType(), entry.stream(), entry.data(), seen));
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
        Function<Entry, AuditEvent> seen = redactorFor(caller);
        resultStream.send(
                caller,
                response,
                form,
                marker -> trail.search(new Search(filter, from, to, marker, PAGE_SIZE)).map(seen));
    }
}
