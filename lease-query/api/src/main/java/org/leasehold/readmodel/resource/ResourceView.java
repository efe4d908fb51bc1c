package org.leasehold.readmodel.resource;

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
 * @param disabledReason the reason why it is not in service; null when it is
 * @param attributes the cloud's description, as JSON values
 * @param capabilities the operator's description
 * @param updatedAt the time of its last change; null before its first change
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

    /** Returns the same resource with other capabilities. */
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
