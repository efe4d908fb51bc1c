package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

import java.util.Set;

/** Distinguishes requests that read from requests that change something. */
final class Questions {

    /** The operations that only read although they have a body. */
    private static final Set<String> WITH_A_BODY =
            Set.of("rehearseLease", "quoteLease", "findAvailability", "compareWorlds");

    private Questions() {}

    static boolean isOne(String method, @Nullable String operationId) {
        return method.equals(HttpMethod.GET.name())
                || (operationId != null && WITH_A_BODY.contains(operationId));
    }
}
