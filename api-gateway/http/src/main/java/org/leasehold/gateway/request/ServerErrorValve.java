package org.leasehold.gateway.request;

import jakarta.servlet.ServletException;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.request.error.RequestId;
import org.springframework.http.HttpStatus;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports of errors that the server itself finds, in the form of the API of the request. The server
 * rejects some requests before any filter sees them, and reports errors as HTML pages by default.
 */
final class ServerErrorValve extends ErrorReportValve {

    private static final String MALFORMED_MESSAGE =
            "The request is malformed, or its address and headers are too long.";

    private final ErrorResponseWriter errors;

    ServerErrorValve(ErrorResponseWriter errors) {
        this.errors = errors;
    }

    /** Stops a rejected request here: its method may be one that the server would echo. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (response.isError()) {
            response.setSuspended(false);
            report(request, response, null);
        } else {
            super.invoke(request, response);
        }
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        if (response.getStatus() < HttpStatus.BAD_REQUEST.value()
                || response.getContentWritten() > 0
                || !response.setErrorReported()
                || !isWritable(response)) {
            return;
        }
        if (!RequestId.hasId(request)) {
            RequestId.assign(request, response);
        }
        try {
            writeErrorResponse(request, response, response.getStatus());
            response.finishResponse();
        } catch (IOException _) {
            // The client has disconnected.
        }
    }

    private static boolean isWritable(Response response) {
        AtomicBoolean allowed = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, allowed);
        return allowed.get();
    }

    private void writeErrorResponse(Request request, Response response, int status)
            throws IOException {
        HttpStatus known = HttpStatus.resolve(status);
        if (known == null || known == HttpStatus.INTERNAL_SERVER_ERROR) {
            errors.writeInternalError(request, response);
            return;
        }
        String message =
                known == HttpStatus.BAD_REQUEST ? MALFORMED_MESSAGE : known.getReasonPhrase();
        String address = request.getRequestURI();
        if (address == null || address.isEmpty()) {
            errors.writeErrorInBothForms(request, response, status, message);
        } else {
            errors.writeError(request, response, status, message);
        }
    }
}
