package org.leasehold.gateway.api.export;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.security.Caller;
import org.leasehold.readmodel.Page;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Function;

/**
 * Search results as lines, page by page: with a slow client, only one page is in memory, and no
 * connection waits.
 */
public final class StreamedResults<T> {

    public static final String CSV = "text/csv";
    public static final String ND_JSON = "application/x-ndjson";

    private final JsonMapper json;
    private final String header;
    private final Function<T, String> csvFormatter;
    private final DownloadSender downloadSender =
            new DownloadSender("searches are written as lines");

    /**
     * Creates lines for one type of item.
     *
     * @param header the first line of comma-separated values, with its line break
     * @param commas returns the line of an item, with its line break
     */
    public StreamedResults(JsonMapper json, String header, Function<T, String> commas) {
        this.json = json;
        this.header = header;
        this.csvFormatter = commas;
    }

    /** The format of lines. */
    public enum Form {
        JSON_LINES(ND_JSON),
        COMMAS(CSV + ";charset=UTF-8;header=present");

        private final String contentType;

        Form(String contentType) {
            this.contentType = contentType;
        }

        public static Form fromAcceptHeader(String accept) {
            return accept.contains(ND_JSON) ? JSON_LINES : COMMAS;
        }
    }

    /**
     * Writes all pages.
     *
     * @param pages returns the page after a marker; the first page for null
     * @throws ProblemException if there are too many downloads already
     * @throws IOException if the client has disconnected, or the download failed
     */
    public void send(
            Caller caller,
            HttpServletResponse response,
            Form form,
            Function<@Nullable String, Page<T>> pages)
            throws IOException {
        downloadSender.send(caller, response, form.contentType, lines -> write(form, pages, lines));
    }

    private void write(Form form, Function<@Nullable String, Page<T>> pages, Writer lines)
            throws IOException {
        // A failure to read is an error response, and not an empty file.
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
                        case COMMAS -> csvFormatter.apply(each);
                    });
        }
    }
}
