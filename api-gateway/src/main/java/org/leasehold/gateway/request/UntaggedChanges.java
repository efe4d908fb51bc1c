package org.leasehold.gateway.request;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;

/**
 * Refuses a change with {@code If-Match} of what has no entity tag: no tag can match it. Handlers
 * that compare the tag themselves take the header as an argument.
 */
final class UntaggedChanges implements HandlerInterceptor {

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final String ANYTHING = "*";

    private final EdgeErrors errors;

    UntaggedChanges(EdgeErrors errors) {
        this.errors = errors;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        if (request.getDispatcherType() != DispatcherType.REQUEST
                || READING.contains(request.getMethod())
                || !(handler instanceof HandlerMethod method)
                || compares(method)
                || !isConditional(request)) {
            return true;
        }
        errors.refuse(
                request,
                response,
                412,
                "Nothing here has an entity tag, so no tag in If-Match can match.");
        return false;
    }

    private static boolean isConditional(HttpServletRequest request) {
        return Collections.list(request.getHeaders(HttpHeaders.IF_MATCH)).stream()
                .anyMatch(match -> !match.strip().equals(ANYTHING));
    }

    private static boolean compares(HandlerMethod method) {
        return Arrays.stream(method.getMethodParameters())
                .map(parameter -> parameter.getParameterAnnotation(RequestHeader.class))
                .anyMatch(header -> header != null && header.name().equals(HttpHeaders.IF_MATCH));
    }
}
