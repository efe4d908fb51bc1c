package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.security.Caller;
import org.leasehold.query.Page;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Function;

/**
 * All that is found, as lines: page by page, so that however slow whoever listens, some of it is in
 * memory only, and no connection waits.
 */
final class Lines<T> {

    static final String CSV = "text/csv";

    private final JsonMapper json;
    private final String header;
    private final Function<T, String> commas;
    private final Download download = new Download("searches are written as lines");

    /**
     * Of one sort of things.
     *
     * @param header the first line of comma-separated values, with its end
     * @param commas the line of one of them, with its end
     */
    Lines(JsonMapper json, String header, Function<T, String> commas) {
        this.json = json;
        this.header = header;
        this.commas = commas;
    }

    /** What lines are like. */
    enum Form {
        JSON_LINES(ExportRoutes.ND_JSON),
        COMMAS(CSV + ";charset=UTF-8;header=present");

        private final String contentType;

        Form(String contentType) {
            this.contentType = contentType;
        }

        static Form accepted(String accept) {
            return accept.contains(ExportRoutes.ND_JSON) ? JSON_LINES : COMMAS;
        }
    }

    /**
     * Writes them.
     *
     * @param pages the page that follows where another one ended; the first, for null
     * @throws ProblemException if too many listen already
     * @throws IOException if nobody listens any more, or it broke off
     */
    void send(
            Caller caller,
            HttpServletResponse response,
            Form form,
            Function<@Nullable String, Page<T>> pages)
            throws IOException {
        download.send(caller, response, form.contentType, lines -> write(form, pages, lines));
    }

    private void write(Form form, Function<@Nullable String, Page<T>> pages, Writer lines)
            throws IOException {
        // If nothing can be read that is the answer, and not an empty file.
        Page<T> page = pages.apply(null);
        if (form == Form.COMMAS) {
            lines.append(header);
        }
        write(form, page.items(), lines);
        for (String next = page.next(); next != null; next = page.next()) {
            page = pages.apply(next);
            write(form, page.items(), lines);
        }
    }

    private void write(Form form, List<T> found, Writer lines) throws IOException {
        for (T each : found) {
            lines.append(
                    switch (form) {
                        case JSON_LINES -> json.writeValueAsString(each) + "\n";
                        case COMMAS -> commas.apply(each);
                    });
        }
    }
}
