package org.leasehold.gateway.api.query;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

import java.util.Set;

/** Distinguishes requests that read from requests that change something. */
public final class ReadOperations {

    /** The operations that only read although they have a body. */
    private static final Set<String> READS_WITH_BODY =
            Set.of("rehearseLease", "quoteLease", "findAvailability", "compareWorlds");

    private ReadOperations() {}

    public static boolean isRead(String method, @Nullable String operationId) {
        return method.equals(HttpMethod.GET.name())
                || (operationId != null && READS_WITH_BODY.contains(operationId));
    }
}
