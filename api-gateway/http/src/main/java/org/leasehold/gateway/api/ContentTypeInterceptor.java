package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

import java.util.Set;

/**
 * Gives responses the declared type: JSON, if none is declared. The framework would label a success
 * as any type of JSON that a client lists, even as a problem.
 */
final class ContentTypeInterceptor implements HandlerInterceptor {

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE) == null) {
            request.setAttribute(
                    HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE,
                    Set.of(MediaType.APPLICATION_JSON));
        }
        return true;
    }
}
