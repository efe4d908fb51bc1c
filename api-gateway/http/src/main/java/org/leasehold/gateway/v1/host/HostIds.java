package org.leasehold.gateway.v1.host;

import org.leasehold.gateway.v1.http.V1Query;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.resource.Resources.Part;

import java.util.Optional;
import java.util.regex.Pattern;

/** Host ids in the API: digits. */
final class HostIds {

    private static final Pattern DIGITS = Pattern.compile("0*[1-9][0-9]{0,17}");

    private HostIds() {}

    /** Returns the requested part of a list by id. */
    static Part requestedPart(V1Query query, String key) {
        String marker = query.marker();
        ResourceId after =
                marker == null ? null : parse(marker).orElseThrow(V1Query::invalidMarker);
        return new Part(query.direction(key), after, query.limit());
    }

    static Optional<ResourceId> parse(String text) {
        return DIGITS.matcher(text).matches()
                ? Optional.of(new ResourceId(Long.parseLong(text)))
                : Optional.empty();
    }
}
