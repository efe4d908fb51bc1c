package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.request.Disconnects;
import org.leasehold.gateway.security.Caller;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Answers that are written as they are read, and may be very long: some at once on a node. */
final class Download {

    private static final Logger LOG = LoggerFactory.getLogger(Download.class);

    private final String words;
    private final Places places;

    /**
     * One sort of them.
     *
     * @param words what is made of these, and that it is, such as {@code exports are made}
     */
    Download(String words) {
        this.words = words;
        this.places = new Places(words);
    }

    /** What is told. */
    interface Content {

        void write(Writer writer) throws IOException;
    }

    /**
     * Sends one. The thread of the request does it: it ends when whoever listens hangs up, or never
     * reads.
     *
     * @throws ProblemException if too many listen already, or one for the caller's project
     * @throws IOException if nobody listens any more, or it broke off
     */
    void send(Caller caller, HttpServletResponse response, String type, Content content)
            throws IOException {
        try (Places.Place _ = places.take(caller)) {
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
            if (Disconnects.isOne(e)) {
                throw e;
            }
            LOG.atWarn().addKeyValue("of", words).setCause(e).log("A download broke off");
            // Not as a problem, which would be one more line: the connection is cut instead.
            throw new IOException("the download broke off");
        }
    }
}
