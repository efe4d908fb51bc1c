package org.leasehold.gateway.limits;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Marks the threads of requests whose handler is a {@link LongRead}. */
final class LongReadInterceptor implements HandlerInterceptor {

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method) {
            LongRead read = method.getMethodAnnotation(LongRead.class);
            if (read != null
                    && (read.with().isEmpty() || request.getParameter(read.with()) != null)) {
                ClientThreadMarker.markLongRead();
            }
        }
        return true;
    }
}
