package org.leasehold.gateway.request;

import io.micrometer.common.KeyValue;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.observation.DefaultServerRequestObservationConvention;
import org.springframework.http.server.observation.ServerHttpObservationDocumentation.HighCardinalityKeyNames;
import org.springframework.http.server.observation.ServerRequestObservationContext;

/** Keeps the paths that are secrets out of traces; what is measured is named by patterns anyway. */
final class SecretPaths extends DefaultServerRequestObservationConvention {

    static final String SECRET = "/calendar/";

    @Override
    protected KeyValue httpUrl(ServerRequestObservationContext context) {
        HttpServletRequest request = context.getCarrier();
        return request != null && request.getRequestURI().contains(SECRET)
                ? KeyValue.of(HighCardinalityKeyNames.HTTP_URL, SECRET)
                : super.httpUrl(context);
    }
}
