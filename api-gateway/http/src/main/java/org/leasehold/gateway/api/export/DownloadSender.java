package org.leasehold.gateway.api.export;

import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.request.error.Disconnects;
import org.leasehold.gateway.security.Caller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Responses that are written as they are read, and may be very long; a node limits them. */
public final class DownloadSender {

    private static final Logger LOG = LoggerFactory.getLogger(DownloadSender.class);

    private final String description;
    private final LongResponseLimiter limiter;

    /**
     * Creates the limit for one sort of downloads.
     *
     * @param words the subject and verb of an error message, such as {@code exports are made}
     */
    public DownloadSender(String words) {
        this.description = words;
        this.limiter = new LongResponseLimiter(words);
    }

    /** The content of a download. */
    public interface Content {

        void write(Writer writer) throws IOException;
    }

    /**
     * Sends a download on the thread of the request. It ends when the client disconnects, or never
     * reads.
     *
     * @throws ProblemException if there are too many already, or one for the caller's project
     * @throws IOException if the client has disconnected, or the download failed
     */
    public void send(Caller caller, HttpServletResponse response, String type, Content content)
            throws IOException {
        try (LongResponseLimiter.Slot _ = limiter.acquire(caller)) {
            write(response, type, content);
        }
    }

    private void write(HttpServletResponse response, String type, Content content)
            throws IOException {
        response.setContentType(type);
        Writer writer =
                new BufferedWriter(
                        new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8));
        try {
            content.write(writer);
            writer.flush();
        } catch (RuntimeException e) {
            if (!response.isCommitted()) {
                response.resetBuffer();
                throw e;
            }
            if (Disconnects.isDisconnect(e)) {
                throw e;
            }
            LOG.atWarn().addKeyValue("of", description).setCause(e).log("A download broke off");
            // A problem would be one more line of the content: the connection is cut instead.
            throw new IOException("the download broke off");
        }
    }
}
