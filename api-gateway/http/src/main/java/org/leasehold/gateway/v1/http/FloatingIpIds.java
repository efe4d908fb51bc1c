package org.leasehold.gateway.v1.http;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.resource.Resources.Part;

import java.util.Optional;
import java.util.UUID;

/**
 * Ids of floating IPs in the API: UUIDs. The number of the resource is in the second half. The
 * first half is the same for all of them, and makes it a UUID of the free form (version 8).
 */
public final class FloatingIpIds {

    /** The name of such an id in Blazar's response when it is not found. */
    public static final String KEY = "floatingip_id";

    private static final long FIRST_HALF = 0x666c_6f61_7469_8e67L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long NUMBER = 0x3fff_ffff_ffff_ffffL;

    private FloatingIpIds() {}

    public static String of(ResourceId id) {
        return new UUID(FIRST_HALF, VARIANT | id.value()).toString();
    }

    public static Optional<ResourceId> parse(String text) {
        try {
            UUID uuid = UUID.fromString(text);
            long number = uuid.getLeastSignificantBits() & NUMBER;
            return uuid.equals(new UUID(FIRST_HALF, VARIANT | number)) && number > 0
                    ? Optional.of(new ResourceId(number))
                    : Optional.empty();
        } catch (IllegalArgumentException noUuid) {
            return Optional.empty();
        }
    }

    /** Returns the requested part of the list. */
    public static Part requestedPart(V1Query query) {
        String marker = query.marker();
        @Nullable ResourceId after =
                marker == null ? null : parse(marker).orElseThrow(V1Query::invalidMarker);
        return new Part(query.direction("id"), after, query.limit());
    }
}
