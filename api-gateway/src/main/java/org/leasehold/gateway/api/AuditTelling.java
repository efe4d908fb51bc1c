package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.AuditAnswers.AuditEvent;
import org.leasehold.gateway.api.AuditAnswers.AuditEventPage;
import org.leasehold.gateway.security.Caller;
import org.leasehold.query.AuditTrail;
import org.leasehold.query.AuditTrail.Entry;
import org.leasehold.query.AuditTrail.Filter;
import org.leasehold.query.AuditTrail.Search;
import org.leasehold.query.Page;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Tells auditors what they may see of the events that they look for: a page, or all of them. */
final class AuditTelling {

    static final String CSV = "text/csv";

    private static final int PAGE = 500;

    private final AuditTrail trail;
    private final EventTelling telling;
    private final JsonMapper json;
    private final AuditCsv csv;
    private final Download download = new Download("searches are written as lines");

    AuditTelling(AuditTrail trail, EventTelling telling, JsonMapper json) {
        this.trail = trail;
        this.telling = telling;
        this.json = json;
        this.csv = new AuditCsv(json);
    }

    /** What lines are like. */
    enum Form {
        JSON_LINES,
        COMMAS;

        static Form accepted(String accept) {
            return accept.contains(ExportRoutes.ND_JSON) ? JSON_LINES : COMMAS;
        }
    }

    AuditEventPage page(Search question, Caller caller) {
        Page<AuditEvent> page = trail.search(question).map(seenBy(caller));
        return new AuditEventPage(page.items(), page.next());
    }

    /** Events as a caller may see them: what is hidden is looked up once. */
    Function<Entry, AuditEvent> seenBy(Caller caller) {
        var seen = telling.asSeenBy(caller);
        return entry ->
                AuditEvent.of(
                        entry,
                        telling.told(entry.streamType(), entry.stream(), entry.data(), seen));
    }

    /**
     * Writes all that is found, page by page: however slow whoever listens, some of it is in memory
     * only, and no connection waits.
     *
     * @throws ProblemException if too many listen already
     * @throws IOException if nobody listens any more, or it broke off
     */
    void stream(
            Filter filter,
            @Nullable Instant from,
            @Nullable Instant to,
            Form form,
            Caller caller,
            HttpServletResponse response)
            throws IOException {
        Search search = new Search(filter, from, to, null, PAGE);
        Function<Entry, AuditEvent> seen = seenBy(caller);
        download.send(
                caller,
                response,
                switch (form) {
                    case JSON_LINES -> ExportRoutes.ND_JSON;
                    case COMMAS -> CSV + ";charset=UTF-8;header=present";
                },
                lines -> write(search, form, seen, lines));
    }

    private void write(Search search, Form form, Function<Entry, AuditEvent> seen, Writer lines)
            throws IOException {
        // If nothing can be read that is the answer, and not an empty file.
        Page<Entry> page = trail.search(search);
        if (form == Form.COMMAS) {
            lines.append(AuditCsv.HEADER);
        }
        write(page.items(), form, seen, lines);
        for (String next = page.next(); next != null; next = page.next()) {
            page = trail.search(search.after(next));
            write(page.items(), form, seen, lines);
        }
    }

    private void write(
            List<Entry> entries, Form form, Function<Entry, AuditEvent> seen, Writer lines)
            throws IOException {
        for (Entry entry : entries) {
            AuditEvent event = seen.apply(entry);
            lines.append(
                    switch (form) {
                        case JSON_LINES -> json.writeValueAsString(event) + "\n";
                        case COMMAS -> csv.line(event);
                    });
        }
    }
}
