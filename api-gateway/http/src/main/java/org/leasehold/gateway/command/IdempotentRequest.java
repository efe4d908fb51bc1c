package org.leasehold.gateway.command;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.IdempotentResponses.Answer;
import org.springframework.http.HttpHeaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request with an idempotency key: its key, and its response as it is stored. */
final class IdempotentRequest {

    /** The headers that are part of a response. All others belong to its connection. */
    private static final List<String> HEADERS =
            List.of(
                    HttpHeaders.CONTENT_TYPE,
                    HttpHeaders.LOCATION,
                    HttpHeaders.ETAG,
                    HttpHeaders.VARY,
                    "OpenStack-API-Version",
                    "Leasehold-Position");

    private static final String KEY = IdempotentRequest.class.getName() + ".key";
    private static final String ANSWERED = IdempotentRequest.class.getName() + ".answered";

    private IdempotentRequest() {}

    static void setKey(HttpServletRequest request, Idempotency key) {
        request.setAttribute(KEY, key);
    }

    /** Returns the key of a request; null if it has none or gets no stored response. */
    static @Nullable Idempotency keyOf(HttpServletRequest request) {
        return (Idempotency) request.getAttribute(KEY);
    }

    /** Marks a request that got a stored response, so that it is not stored twice. */
    static void markAsAnswered(HttpServletRequest request) {
        request.setAttribute(ANSWERED, true);
    }

    static boolean isAnswered(HttpServletRequest request) {
        return request.getAttribute(ANSWERED) != null;
    }

    static Answer readResponse(HttpServletResponse response, String body) {
        Map<String, String> headers = new TreeMap<>();
        for (String name : HEADERS) {
            String value = response.getHeader(name);
            if (value != null) {
                headers.put(name, value);
            }
        }
        String type = response.getContentType();
        if (type != null) {
            headers.put(HttpHeaders.CONTENT_TYPE, type);
        }
        return new Answer(response.getStatus(), headers, body);
    }

    static void writeResponse(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
    }
}
