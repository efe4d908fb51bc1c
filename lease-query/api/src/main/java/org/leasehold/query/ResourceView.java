package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * An enrolled resource.
 *
 * @param reservable whether it is in service
 * @param disabledReason why it is not; null when it is
 * @param attributes what the cloud says of it, as JSON values
 * @param capabilities what the operator says of it
 * @param updatedAt when it last changed; null before its first change
 */
public record ResourceView(
        ResourceId id,
        ResourceKind kind,
        String name,
        @Nullable String region,
        @Nullable String zone,
        boolean reservable,
        @Nullable String disabledReason,
        Map<String, @Nullable Object> attributes,
        Map<String, String> capabilities,
        Instant createdAt,
        @Nullable Instant updatedAt) {

    public ResourceView {
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        capabilities = Collections.unmodifiableMap(new TreeMap<>(capabilities));
    }

    /** The same resource, of which other things are said. */
    public ResourceView with(Map<String, String> otherCapabilities) {
        return new ResourceView(
                id,
                kind,
                name,
                region,
                zone,
                reservable,
                disabledReason,
                attributes,
                otherCapabilities,
                createdAt,
                updatedAt);
    }
}
