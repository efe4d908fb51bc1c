package org.leasehold.gateway.request;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;

/** What tells an answer of Blazar's API from others. */
public final class Blazar {

    private Blazar() {}

    /** Whether a request speaks Blazar's API: {@code /v1} and its discovery. */
    static boolean isAsked(HttpServletRequest request) {
        // In an error dispatch the path is the error page's own.
        String path =
                request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String original
                        ? original
                        : request.getRequestURI();
        String asked = path.substring(request.getContextPath().length());
        return asked.equals("/")
                || asked.equals("/versions")
                || asked.equals("/v1")
                || asked.startsWith("/v1/");
    }

    /** The headers that tell which version of the API answered. */
    public static void addHeaders(HttpServletResponse response) {
        response.setHeader(HttpHeaders.VARY, "OpenStack-API-Version");
        response.setHeader("OpenStack-API-Version", "reservation 1.0");
    }
}
