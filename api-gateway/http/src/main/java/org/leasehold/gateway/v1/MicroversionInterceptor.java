package org.leasehold.gateway.v1;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.request.error.BlazarApi;
import org.leasehold.gateway.v1.http.V1Exception;
import org.springframework.web.servlet.HandlerInterceptor;

import java.util.Collections;
import java.util.regex.Pattern;

/** The negotiation of the version of the API; there is only one. */
final class MicroversionInterceptor implements HandlerInterceptor {

    private static final String HEADER = "OpenStack-API-Version";
    private static final String SERVICE = "reservation";
    private static final String SUPPORTED_VERSION = "1.0";
    private static final Pattern FORM = Pattern.compile("[1-9][0-9]*\\.(0|[1-9][0-9]*)");

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        for (String header : Collections.list(request.getHeaders(HEADER))) {
            for (String entry : header.split(",", -1)) {
                requireSupported(entry.strip());
            }
        }
        BlazarApi.addHeaders(response);
        return true;
    }

    /** Checks a version, or a service and its version; it ignores those of other services. */
    private static void requireSupported(String entry) {
        String[] words = entry.split("\\s+", -1);
        boolean ours = words.length == 2 && words[0].equals(SERVICE);
        if (words.length == 1 || ours) {
            String version = words[words.length - 1];
            if (version.isEmpty()
                    || version.equals("latest")
                    || version.equals(SUPPORTED_VERSION)) {
                return;
            }
            if (!FORM.matcher(version).matches()) {
                throw V1Exception.frameworkError(
                        400,
                        "API Version String %s is of invalid format. Must be of format"
                                        .formatted(version)
                                + " MajorNum.MinorNum.");
            }
            throw V1Exception.frameworkError(
                    406,
                    "Version %s is not supported by the API. Minimum is %s and maximum is %s."
                            .formatted(version, SUPPORTED_VERSION, SUPPORTED_VERSION));
        }
    }
}
