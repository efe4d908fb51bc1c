package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

import java.util.Set;

/**
 * Answers are of the type that the description declares: JSON, where it declares no other. The
 * framework would name a success as any type of JSON that a client lists, a problem's too.
 */
final class DeclaredTypes implements HandlerInterceptor {

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
