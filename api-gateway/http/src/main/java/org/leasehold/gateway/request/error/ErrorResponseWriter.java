package org.leasehold.gateway.request.error;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;

/**
 * Error responses before a controller is called, or after it failed. They have the form of the API
 * of the request: Blazar has three forms of its own, ours are problem details.
 */
public final class ErrorResponseWriter {

    private final JsonMapper mapper = JsonMapper.shared();
    private final Challenge challenge;

    public ErrorResponseWriter(Challenge challenge) {
        this.challenge = challenge;
    }

    /** Answers a request without a login, or of an unknown user. */
    public void writeUnauthenticated(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge.value());
        String message = "The request you have made requires authentication.";
        if (BlazarApi.isBlazarRequest(request)) {
            writeJson(
                    response,
                    401,
                    Map.of(
                            "error",
                            fields("code", 401, "title", "Unauthorized", "message", message)));
        } else {
            writeProblem(request, response, 401, message, Map.of());
        }
    }

    /**
     * Answers a request that the caller's role does not allow.
     *
     * @param why the rest of the sentence; null where the role is the whole reason
     */
    public void writeForbidden(
            HttpServletRequest request,
            HttpServletResponse response,
            String rule,
            @Nullable String why)
            throws IOException {
        String message =
                "Policy doesn't allow %s to be performed%s"
                        .formatted(rule, why == null ? "" : ": " + why);
        if (BlazarApi.isBlazarRequest(request)) {
            BlazarApi.addHeaders(response);
            writeJson(
                    response,
                    403,
                    fields("error_code", 403, "error_message", message, "error_name", 403));
        } else {
            writeProblem(request, response, 403, message, Map.of());
        }
    }

    /** Answers a request whose path does not exist. */
    public void writeNotFound(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String message = "The requested URL was not found on the server.";
        if (BlazarApi.isBlazarRequest(request)) {
            writeJson(response, 404, fields("error", 404, "error_message", message));
        } else {
            writeProblem(request, response, 404, message, Map.of());
        }
    }

    /** Answers a request whose path exists, but not for its method. */
    public void writeMethodNotAllowed(
            HttpServletRequest request, HttpServletResponse response, SortedSet<String> allowed)
            throws IOException {
        response.setHeader(HttpHeaders.ALLOW, String.join(", ", allowed));
        writeError(request, response, 405, "The method is not allowed for the requested URL.");
    }

    /**
     * Answers a request that other nodes serve. A retry at this node is of no use, so the response
     * has no {@code Retry-After}.
     */
    public void writeMissingNodeRole(
            HttpServletRequest request, HttpServletResponse response, NodeRole needed)
            throws IOException {
        writeError(
                request,
                response,
                503,
                "This node does not serve such requests: it lacks the role %s."
                        .formatted(needed.name().toLowerCase(Locale.ROOT)));
    }

    /** Answers an invalid request, or one that failed. */
    public void writeError(
            HttpServletRequest request, HttpServletResponse response, int status, String message)
            throws IOException {
        if (BlazarApi.isBlazarRequest(request)) {
            BlazarApi.addHeaders(response);
            writeJson(response, status, fields("error", status, "error_message", message));
        } else {
            writeProblem(request, response, status, message, Map.of());
        }
    }

    /** Answers a request whose address the server has not read, with the members of both forms. */
    public void writeErrorInBothForms(
            HttpServletRequest request, HttpServletResponse response, int status, String message)
            throws IOException {
        writeProblem(
                request,
                response,
                status,
                message,
                fields("error", status, "error_message", message));
    }

    /** Answers a request whose idempotency key was used for another request. */
    public void writeKeyReused(HttpServletRequest request, HttpServletResponse response, String key)
            throws IOException {
        String message = "The idempotency key " + key + " was used for another request";
        if (BlazarApi.isBlazarRequest(request)) {
            BlazarApi.addHeaders(response);
            writeJson(
                    response,
                    422,
                    fields("error_code", 422, "error_message", message, "error_name", 422));
        } else {
            writeProblem(
                    request,
                    response,
                    422,
                    message + ".",
                    Map.of(
                            "type",
                            "/problems/idempotency-key-reused",
                            "title",
                            "Idempotency key reused"));
        }
    }

    /** Answers a request after an internal error; the reason is in the log only. */
    public void writeInternalError(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String message = "Internal Server Error";
        if (BlazarApi.isBlazarRequest(request)) {
            BlazarApi.addHeaders(response);
            writeJson(
                    response,
                    500,
                    fields(
                            "error_code",
                            500,
                            "error_message",
                            message,
                            "error_name",
                            "INTERNAL_SERVER_ERROR"));
        } else {
            writeProblem(request, response, 500, message, Map.of());
        }
    }

    public void writeError(
            HttpServletRequest request, HttpServletResponse response, JsonBodyValidator.Flaw flaw)
            throws IOException {
        String field = flaw.field();
        if (field == null) {
            writeError(request, response, 400, flaw.message());
        } else if (BlazarApi.isBlazarRequest(request)) {
            writeError(request, response, 400, field + " " + flaw.message());
        } else {
            writeProblem(
                    request,
                    response,
                    400,
                    field + " " + flaw.message(),
                    Map.of("errors", List.of(fields("field", field, "message", flaw.message()))));
        }
    }

    private void writeProblem(
            HttpServletRequest request,
            HttpServletResponse response,
            int status,
            String detail,
            Map<String, Object> more)
            throws IOException {
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("type", "/problems/" + title.toLowerCase(Locale.ROOT).replace(' ', '-'));
        body.put("title", title);
        body.put("status", status);
        body.put("detail", detail);
        body.put("request_id", RequestId.of(request).value());
        body.putAll(more);
        send(response, status, MediaType.APPLICATION_PROBLEM_JSON_VALUE, body);
    }

    private void writeJson(HttpServletResponse response, int status, Map<String, Object> body)
            throws IOException {
        send(response, status, MediaType.APPLICATION_JSON_VALUE, body);
    }

    private void send(HttpServletResponse response, int status, String type, Object body)
            throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.getOutputStream().write(mapper.writeValueAsBytes(body));
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
