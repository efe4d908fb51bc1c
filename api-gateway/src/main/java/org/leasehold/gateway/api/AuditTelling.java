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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.json.JsonMapper;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Tells auditors what they may see of the events that they look for: a page, or all of them. */
final class AuditTelling {

    private static final Logger LOG = LoggerFactory.getLogger(AuditTelling.class);

    static final String CSV = "text/csv";

    /** Each may read the whole history; commands must not notice. */
    static final int AT_ONCE = 2;

    private static final int PAGE = 500;

    private final AuditTrail trail;
    private final EventTelling telling;
    private final JsonMapper json;
    private final AuditCsv csv;
    private final Semaphore places = new Semaphore(AT_ONCE);

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
        Page<AuditEvent> page = search(question).map(seenBy(caller));
        return new AuditEventPage(page.items(), page.next());
    }

    private Page<Entry> search(Search question) {
        try {
            return trail.search(question);
        } catch (IllegalArgumentException noMarker) {
            throw new ProblemException(Problem.ofField("marker", "is not where a page ended"));
        }
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
        if (!places.tryAcquire()) {
            throw new ProblemException(
                    Problem.of(
                            503,
                            "busy",
                            "At most %d searches are written as lines on a node at once; try again later."
                                    .formatted(AT_ONCE)));
        }
        try {
            send(new Search(filter, from, to, null, PAGE), form, seenBy(caller), response);
        } finally {
            places.release();
        }
    }

    private void send(
            Search search,
            Form form,
            Function<Entry, AuditEvent> seen,
            HttpServletResponse response)
            throws IOException {
        // If nothing can be read that is the answer, and not an empty file.
        Page<Entry> page = search(search);
        response.setContentType(
                switch (form) {
                    case JSON_LINES -> ExportRoutes.ND_JSON;
                    case COMMAS -> CSV + ";charset=UTF-8;header=present";
                });
        Writer lines =
                new BufferedWriter(
                        new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8));
        try {
            if (form == Form.COMMAS) {
                lines.append(AuditCsv.HEADER);
            }
            write(page.items(), form, seen, lines);
            for (String next = page.next(); next != null; next = page.next()) {
                page = trail.search(search.after(next));
                write(page.items(), form, seen, lines);
            }
            lines.flush();
        } catch (RuntimeException e) {
            if (!response.isCommitted()) {
                response.resetBuffer();
                throw e;
            }
            LOG.atWarn().setCause(e).log("A search that is written as lines broke off");
            // Not as a problem, which would be one more line: the connection is cut instead.
            throw new IOException("the search broke off");
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
