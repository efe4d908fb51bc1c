package org.leasehold.gateway.v1.http;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An error with one of Blazar's error bodies. Clients match the texts, so they are exact. */
public final class V1Exception extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Map<String, @Nullable Object> body;

    private V1Exception(int status, String message, Map<String, @Nullable Object> body) {
        // No stack trace: this is a response, not a fault, and there may be thousands.
        super(message, null, false, false);
        this.status = status;
        this.body = body;
    }

    /** Returns the error of a handler. */
    public static V1Exception refused(int status, String message) {
        return withErrorName(status, message, status);
    }

    /** Returns the same as an internal error; Blazar uses it for some other errors. */
    public static V1Exception refusedAsInternal(int status, String message) {
        return withErrorName(status, message, "INTERNAL_SERVER_ERROR");
    }

    /** Returns the same with reasons: a key that Blazar does not have and its clients ignore. */
    static V1Exception refused(int status, String message, List<?> reasons) {
        V1Exception failure = refused(status, message);
        failure.body.put("reasons", reasons);
        return failure;
    }

    /** Returns the error of the framework, before any handler runs. */
    public static V1Exception frameworkError(int status, String message) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("error", status);
        body.put("error_message", message);
        return new V1Exception(status, message, body);
    }

    public static V1Exception missingParameter(String parameters) {
        return refused(400, "Missing parameter " + parameters);
    }

    public static V1Exception malformedParameter(String parameter) {
        return refused(400, "Malformed parameter " + parameter);
    }

    public static V1Exception notFound(String key, String value) {
        return refused(404, "Object with {'" + key + "': '" + value + "'} not found");
    }

    private static V1Exception withErrorName(int status, String message, Object name) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("error_code", status);
        body.put("error_message", message);
        body.put("error_name", name);
        return new V1Exception(status, message, body);
    }

    public int status() {
        return status;
    }

    public Map<String, @Nullable Object> body() {
        return body;
    }
}
