package org.leasehold.gateway.request;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.gateway.limits.Limit;
import org.springframework.http.server.observation.DefaultServerRequestObservationConvention;
import org.springframework.http.server.observation.ServerHttpObservationDocumentation.HighCardinalityKeyNames;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * What is observed of a request: that of the framework, and the limit that refused it. Paths that
 * are secrets stay out of traces; what is measured is named by patterns anyway.
 */
final class ObservedRequests extends DefaultServerRequestObservationConvention {

    static final String SECRET = "/calendar/";

    static final String LIMIT = "limit";
    static final String NONE = "none";

    /** An alert about errors looks past those that are answers of a limit. */
    @Override
    public KeyValues getLowCardinalityKeyValues(ServerRequestObservationContext context) {
        HttpServletRequest request = context.getCarrier();
        return super.getLowCardinalityKeyValues(context)
                .and(
                        LIMIT,
                        request == null ? NONE : Limit.of(request).map(Limit::label).orElse(NONE));
    }

    @Override
    protected KeyValue httpUrl(ServerRequestObservationContext context) {
        HttpServletRequest request = context.getCarrier();
        return request != null && request.getRequestURI().contains(SECRET)
                ? KeyValue.of(HighCardinalityKeyNames.HTTP_URL, SECRET)
                : super.httpUrl(context);
    }
}
