package org.leasehold.gateway.request.error;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;

/** Requests and headers of Blazar's API. */
public final class BlazarApi {

    private BlazarApi() {}

    /** Returns whether a request uses Blazar's API: {@code /v1} and its discovery. */
    static boolean isBlazarRequest(HttpServletRequest request) {
        // In an error dispatch, the path is that of the error page.
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

    /** Adds the headers that name the version of the API. */
    public static void addHeaders(HttpServletResponse response) {
        response.setHeader(HttpHeaders.VARY, "OpenStack-API-Version");
        response.setHeader("OpenStack-API-Version", "reservation 1.0");
    }
}
