package org.leasehold.gateway.limits;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Closes the connection after a response if the body of the request is not read. The server itself
 * would wait for the rest, as long as a byte comes now and then.
 *
 * <p>It first reads for a moment what the client is just sending. A client would lose the response
 * if its connection were reset while it still writes.
 */
final class UnreadBodyValve extends ValveBase {

    private static final String CONNECTION = "Connection";
    private static final String CLOSE = "close";

    private static final int MAX_DRAINED_BYTES = 1 << 20;
    private static final int CHUNK_SIZE = 8192;
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(2);

    UnreadBodyValve() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        getNext().invoke(request, response);
        if (request.isAsync() || isRead(request)) {
            return;
        }
        InputStream body = request.getStream();
        byte[] chunk = new byte[CHUNK_SIZE];
        // Most bodies arrive together with their request, and the connection can stay open.
        if (body.available() > 0 && body.available() <= CHUNK_SIZE) {
            int _ = body.read(chunk);
        }
        if (isRead(request)) {
            return;
        }
        if (!response.isCommitted()) {
            response.setHeader(CONNECTION, CLOSE);
        }
        response.finishResponse();
        boolean gaveUp = response.getStatus() == HttpServletResponse.SC_REQUEST_TIMEOUT;
        if (!gaveUp && !request.getCoyoteRequest().hasExpectation()) {
            drain(body, chunk);
        }
        request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }

    private static void drain(InputStream body, byte[] chunk) {
        long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
        int left = MAX_DRAINED_BYTES;
        try {
            int read = body.read(chunk);
            while (read >= 0 && left > 0 && System.nanoTime() < end) {
                left -= read;
                read = body.read(chunk);
            }
        } catch (IOException clientIsGone) {
            // The client is gone, so no response is lost.
        }
    }

    private static boolean isRead(Request request) {
        AtomicBoolean read = new AtomicBoolean();
        request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, read);
        return read.get();
    }
}
