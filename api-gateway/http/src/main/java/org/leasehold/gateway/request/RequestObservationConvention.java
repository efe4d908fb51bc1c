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
final class RequestObservationConvention extends DefaultServerRequestObservationConvention {

    static final String SECRET_PATH_PREFIX = "/calendar/";

    static final String LIMIT_KEY = "limit";
    static final String NO_LIMIT = "none";

    /** Adds the limit, so that an alert about errors can ignore the responses of limits. */
    @Override
    public KeyValues getLowCardinalityKeyValues(ServerRequestObservationContext context) {
        HttpServletRequest request = context.getCarrier();
        return super.getLowCardinalityKeyValues(context)
                .and(
                        LIMIT_KEY,
                        request == null
                                ? NO_LIMIT
                                : Limit.of(request).map(Limit::label).orElse(NO_LIMIT));
    }

    @Override
    protected KeyValue httpUrl(ServerRequestObservationContext context) {
        HttpServletRequest request = context.getCarrier();
        return request != null && request.getRequestURI().contains(SECRET_PATH_PREFIX)
                ? KeyValue.of(HighCardinalityKeyNames.HTTP_URL, SECRET_PATH_PREFIX)
                : super.httpUrl(context);
    }
}
