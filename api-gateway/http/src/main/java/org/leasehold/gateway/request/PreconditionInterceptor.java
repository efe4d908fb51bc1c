package org.leasehold.gateway.request;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rejects a conditional change of a resource without an entity tag. No tag in {@code If-Match} can
 * match it, and {@code If-None-Match: *} always does: the resource of a change exists. Handlers
 * that compare tags themselves have an argument {@code If-Match}.
 */
final class PreconditionInterceptor implements HandlerInterceptor {

    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");
    private static final String WILDCARD = "*";

    private final ErrorResponseWriter errors;

    PreconditionInterceptor(ErrorResponseWriter errors) {
        this.errors = errors;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        if (request.getDispatcherType() != DispatcherType.REQUEST
                || SAFE_METHODS.contains(request.getMethod())
                || !(handler instanceof HandlerMethod method)
                || handlesIfMatch(method)) {
            return true;
        }
        if (headers(request, HttpHeaders.IF_MATCH).anyMatch(tags -> !tags.equals(WILDCARD))) {
            errors.writeError(
                    request,
                    response,
                    412,
                    "Nothing here has an entity tag, so no tag in If-Match can match.");
            return false;
        }
        if (headers(request, HttpHeaders.IF_NONE_MATCH).anyMatch(WILDCARD::equals)) {
            errors.writeError(
                    request,
                    response,
                    412,
                    "The request is for what does not exist yet (If-None-Match: *), but it does.");
            return false;
        }
        return true;
    }

    private static Stream<String> headers(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name)).stream().map(String::strip);
    }

    private static boolean handlesIfMatch(HandlerMethod method) {
        return Arrays.stream(method.getMethodParameters())
                .map(parameter -> parameter.getParameterAnnotation(RequestHeader.class))
                .anyMatch(header -> header != null && header.name().equals(HttpHeaders.IF_MATCH));
    }
}
