package org.leasehold.gateway.request;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.gateway.limits.Limit;
import org.springframework.http.server.observation.DefaultServerRequestObservationConvention;
import org.springframework.http.server.observation.ServerHttpObservationDocumentation.HighCardinalityKeyNames;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/**
 * The observation of a request: the framework's, and the limit that rejected it. Secret paths stay
 * out of traces; metrics use patterns as names anyway.
 */
final class ObservedRequests extends DefaultServerRequestObservationConvention {

    static final String SECRET = "/calendar/";

    static final String LIMIT = "limit";
    static final String NONE = "none";

    /** Adds the limit, so that an alert about errors can ignore the responses of limits. */
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
