package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.AuditAnswers.AuditEvent;
import org.leasehold.gateway.api.AuditAnswers.AuditEventPage;
import org.leasehold.gateway.api.Lines.Form;
import org.leasehold.gateway.security.Caller;
import org.leasehold.query.AuditTrail;
import org.leasehold.query.AuditTrail.Entry;
import org.leasehold.query.AuditTrail.Filter;
import org.leasehold.query.AuditTrail.Search;
import org.leasehold.query.Page;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.time.Instant;
import java.util.function.Function;

/** Redacts the events that auditors search: a page, or all of them. */
final class AuditTelling {

    private static final int PAGE = 500;

    private final AuditTrail trail;
    private final EventTelling telling;
    private final Lines<AuditEvent> lines;

    AuditTelling(AuditTrail trail, EventTelling telling, JsonMapper json) {
        this.trail = trail;
        this.telling = telling;
        this.lines = new Lines<>(json, AuditCsv.HEADER, new AuditCsv(json)::line);
    }

    AuditEventPage page(Search question, Caller caller) {
        Page<AuditEvent> page = trail.search(question).map(seenBy(caller));
        return new AuditEventPage(page.items(), page.next());
    }

    /** Returns a function that redacts events for a caller; it queries hidden properties once. */
    Function<Entry, AuditEvent> seenBy(Caller caller) {
        var seen = telling.asSeenBy(caller);
        return entry ->
                AuditEvent.of(
                        entry,
                        telling.told(entry.streamType(), entry.stream(), entry.data(), seen));
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
        Function<Entry, AuditEvent> seen = seenBy(caller);
        lines.send(
                caller,
                response,
                form,
                marker -> trail.search(new Search(filter, from, to, marker, PAGE)).map(seen));
    }
}
